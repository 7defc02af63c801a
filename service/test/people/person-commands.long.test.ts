/** `querentd person`, `querentd invite` and `querentd connection`, beside a running service. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { ConnectionRecord, InvitationRecord, LoginState, OneTimeLinkState } from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";
import { startMailServer } from "../harness/mail-server.ts";
import { runCommand } from "../harness/process.ts";
import { refused, startTestService } from "../harness/service.ts";
import { goodPassword, joinAs, openBrowser } from "./browser.ts";

const mails = await startMailServer();
after(() => mails[Symbol.asyncDispose]());
const service = await startTestService();
const mail = {
  QUERENT_SMTP_URL: `smtp://localhost:${mails.port}`,
  QUERENT_MAIL_FROM: "querent@example.com",
  QUERENT_EGRESS_CA: mails.caFile,
};
const command = async (...words: string[]) => {
  const { code, stdout, stderr } = await runCommand({ ...service.commandEnvironment, ...mail }, words);
  return { code, stdout, stderr };
};

const idOf = async (account: string, email: string) => {
  const { stdout } = await command("invite", "list", "--account", account, "--json");
  const invitations = JSON.parse(stdout) as InvitationRecord[];
  return invitations.find((invitation) => invitation.email === email)?.invitationId ?? "";
};

test("an operator invites a person, changes the role, sets a new password, signs the person out and removes them", async () => {
  const { accountId } = await service.account();
  const { rows } = await service.database.query<{ name: string }>("select name from accounts where id = $1", [
    accountId,
  ]);
  const account = rows[0]?.name ?? "";
  await joinAs(service, accountId, "owner");
  const email = "ada@example.com";
  const invited = await command("invite", "create", "--account", account, "--role", "editor", "--email", email);
  assert.match(invited.stdout, /^http:\/\/localhost:\d+\/console\/join#[A-Za-z0-9_-]{43}\n$/);
  assert.match((await command("invite", "list", "--account", account)).stdout, /ada@example\.com +editor/);

  const mailed = await command(
    ...["invite", "create", "--account", account, "--role", "editor"],
    ...["--email", "grace@example.com", "--mail", "en"],
  );
  assert.match(mailed.stderr, /The mail server has taken the mail to grace@example\.com\./);
  const [letter = assert.fail()] = await mails.received(1);
  assert.ok(letter.parsed.text?.includes(mailed.stdout.trim()), "the mail has the link that was printed");
  await command("invite", "withdraw", "--account", account, await idOf(account, "grace@example.com"));

  const browser = openBrowser(service);
  const tokenOf = (text: string) => text.trim().split("#")[1] ?? "";
  const password = goodPassword();
  const joined = await browser.call<LoginState>("POST", "/v1/links/acceptance", {
    body: { token: tokenOf(invited.stdout), name: "Ada", password },
  });
  assert.deepEqual([joined.body.role, joined.body.operator], ["editor", false]);
  const signIn = async (tried: string) => {
    const answer = await browser.call<LoginState>("POST", "/v1/login", { body: { email, password: tried } });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };

  assert.equal((await command("person", "role", email, "viewer", "--account", account)).code, 0);
  refused(await browser.call("GET", "/v1/login"), "unauthorized");
  assert.equal((await signIn(password)).role, "viewer");

  assert.equal((await command("person", "operator", email)).code, 0);
  assert.ok((await signIn(password)).scopes.includes("admin"));
  assert.equal((await browser.call("GET", "/v1/admin/accounts")).status, 200);
  await command("person", "operator", email, "--revoke");
  assert.ok(!(await signIn(password)).scopes.includes("admin"));

  const reset = await command("person", "password", email);
  const state = await browser.call<OneTimeLinkState>("POST", "/v1/links/reading", {
    body: { token: tokenOf(reset.stdout) },
  });
  assert.equal(state.body.purpose, "password");
  const other = goodPassword();
  await browser.call("POST", "/v1/links/acceptance", { body: { token: tokenOf(reset.stdout), password: other } });
  await signIn(other);

  await service.database.query(
    `insert into connections (id, account_id, person_id, client_id, client_name, redirect_uri, resource, scopes)
     select $1, m.account_id, m.person_id, 'c', 'Assistant', 'http://127.0.0.1/', 'http://127.0.0.1/mcp', '{tasks:read}'
       from members m join persons p on p.id = m.person_id where p.email = $2`,
    [newId(), email],
  );
  assert.match(
    (await command("person", "sign-out", email)).stdout,
    /2 logins and 1 connected assistants of ada@example\.com were ended/,
  );
  refused(await browser.call("GET", "/v1/login"), "unauthorized");
  assert.match((await command("person", "list", "--account", account)).stdout, /ada@example\.com/);
  assert.equal((await command("person", "remove", email, "--account", account)).code, 0);
  assert.doesNotMatch((await command("person", "list", "--account", account)).stdout, /ada@example\.com/);
});

test("an operator lists and ends the connections of assistants, of everybody, an account or a person", async () => {
  const { accountId } = await service.account();
  const { rows } = await service.database.query<{ name: string }>("select name from accounts where id = $1", [
    accountId,
  ]);
  const account = rows[0]?.name ?? "";
  const [ada, bea] = [await joinAs(service, accountId, "owner"), await joinAs(service, accountId, "viewer")];
  for (const { state } of [ada, bea])
    await service.database.query(
      `insert into connections (id, account_id, person_id, client_id, client_name, redirect_uri, resource, scopes)
       values ($1, $2, $3, 'c', $4, 'http://127.0.0.1/', 'http://127.0.0.1/mcp', '{tasks:read}')`,
      [newId(), accountId, state.person.personId, "Helper \u001b[31m"],
    );
  const listed = async (...words: string[]) =>
    JSON.parse((await command("connection", "list", ...words, "--json")).stdout) as ConnectionRecord[];
  assert.equal((await listed("--account", account)).length, 2);
  const [ofBea, ...more] = await listed("--email", bea.email);
  assert.deepEqual([ofBea?.email, ofBea?.accountName, more], [bea.email, account, []]);
  const { stdout } = await command("connection", "list");
  assert.match(stdout, new RegExp(`${ofBea?.connectionId} .*${bea.email}`));
  assert.ok(!stdout.includes("\u001b[31m"), "a name moves nothing in the terminal");
  const connectionId = ofBea?.connectionId ?? "";
  assert.match((await command("connection", "end", connectionId)).stdout, /Ended/);
  assert.deepEqual(await listed("--email", bea.email), []);
  assert.equal((await listed("--email", ada.email)).length, 1);
  const { rows: entries } = await service.database.query<{ account_id: string; actor_kind: string }>(
    "select account_id, actor_kind from audit_entries where operation = 'querentd connection end' and target_id = $1",
    [connectionId],
  );
  assert.deepEqual(entries, [{ account_id: accountId, actor_kind: "operator" }]);
  for (const [said, words] of [
    [/There is no connection .*connection list/, ["connection", "end", connectionId]],
    [/There is no person/, ["connection", "list", "--email", "nobody@example.com"]],
  ] as const) {
    const { code, stderr } = await command(...words);
    assert.notEqual(code, 0);
    assert.match(stderr, said);
  }
});

test("mistakes are told in one sentence", async () => {
  const { accountId } = await service.account();
  const { rows } = await service.database.query<{ name: string }>("select name from accounts where id = $1", [
    accountId,
  ]);
  const account = rows[0]?.name ?? "";
  const owner = await joinAs(service, accountId, "owner");
  for (const [said, words] of [
    [/There is no person with the e-mail address/, ["person", "password", "nobody@example.com"]],
    [/It is not an e-mail address/, ["person", "password", "nobody"]],
    [/Roles are owner, admin, editor, viewer/, ["invite", "create", "--account", account, "--role", "boss"]],
    [/last owner stays one/, ["person", "remove", owner.email, "--account", account]],
    [/--email, which is missing/, ["invite", "create", "--account", account, "--role", "editor", "--mail", "en"]],
    [/There is no such invitation/, ["invite", "withdraw", accountId, "--account", account]],
  ] as const) {
    const { code, stderr } = await command(...words);
    assert.notEqual(code, 0);
    assert.match(stderr, said);
    assert.doesNotMatch(stderr, /\n +at /);
  }
});
