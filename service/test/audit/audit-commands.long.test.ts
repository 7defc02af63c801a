/** `querentd audit`, which commands are in the log, and that a killed process loses no entry. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuditEntry } from "@querent/contract";
import type { Command } from "commander";
import { commandKinds } from "../../src/app/cli/audited-commands.ts";
import { commandLine } from "../../src/app/cli/command-line.ts";
import { runCommand, startServiceProcess } from "../harness/process.ts";
import { startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { goodPassword, joinAs } from "../people/browser.ts";

const service = await startTestService();
const { database } = service;
const command = async (...words: string[]) => {
  const { code, stdout, stderr } = await runCommand(service.commandEnvironment, words);
  return { code, stdout, stderr };
};
const succeeds = async (...words: string[]) => {
  const { code, stdout, stderr } = await command(...words);
  assert.equal(code, 0, `${words.join(" ")}: ${stderr}`);
  return stdout;
};
const nameOf = async (accountId: string) => {
  const { rows } = await database.query<{ name: string }>("select name from accounts where id = $1", [accountId]);
  return rows[0]?.name ?? "";
};
const entriesIn = async (...words: string[]) =>
  JSON.parse(await succeeds("audit", "list", ...words, "--json")) as (AuditEntry & { account: string })[];
const sealed = () =>
  until("the entries to be sealed", async () => {
    const { rows } = await database.query<{ open: boolean }>(
      "select exists (select from audit_entries where sequence is null) as open",
    );
    return rows[0]?.open === false;
  });

/** These open no database, or restore one. */
const withoutLog = new Set([
  ...["serve", "doctor", "check", "backup", "restore", "verify-evidence", "help"],
  ...["platform list", "platform models", "platform test", "mail test"],
  ...["recipe check", "recipe run", "recipe record", "recipe replay", "recipe sign-in"],
]);

test("of every command it is decided whether it is in the log", async () => {
  const namesOf = (parent: Command, before = ""): string[] =>
    parent.commands.flatMap((each) => {
      const words = `${before}${each.name()}`;
      return each.commands.length === 0 ? [words] : namesOf(each, `${words} `);
    });
  const names = namesOf(await commandLine("help")).filter((words) => !withoutLog.has(words));
  assert.deepEqual(names.toSorted(), Object.keys(commandKinds).toSorted());
});

test("each command that changes something leaves an entry with the user who ran it, and no secret", async () => {
  const { accountId } = await service.account();
  const account = await nameOf(accountId);
  const person = await joinAs(service, accountId, "owner");
  const owner = await joinAs(service, accountId, "owner");
  const secrets: string[] = [person.password, goodPassword()];
  const made = JSON.parse(await succeeds("token", "create", "--account", account, "--name", "made", "--json")) as {
    token: string;
    tokenId: string;
  };
  secrets.push(made.token);
  await succeeds("token", "revoke", made.tokenId);
  await succeeds("points", "grant", "5", "--account", account);
  await succeeds("account", "quota", account, "--rows", "1000");
  await succeeds("account", "observations", account, "--keep", "30");
  secrets.push((await succeeds("person", "password", person.email)).trim().split("#")[1] ?? "");
  await succeeds("person", "sign-out", person.email);
  await succeeds("person", "operator", person.email);
  await succeeds("person", "role", person.email, "viewer", "--account", account);
  const invitation = ["--account", account, "--role", "viewer", "--email", "new@example.com"];
  const { link, invitationId } = JSON.parse(await succeeds("invite", "create", ...invitation, "--json")) as {
    link: string;
    invitationId: string;
  };
  secrets.push(link.split("#")[1] ?? "");
  await succeeds("invite", "withdraw", invitationId, "--account", account);
  await succeeds("person", "remove", person.email, "--account", account);
  await succeeds("evidence-key", "rotate");
  assert.equal((await command("person", "remove", owner.email, "--account", account)).code, 1, "the last owner stays");

  const own = await entriesIn("--account", account);
  assert.deepEqual(
    own
      .filter(({ actor }) => actor.kind === "operator")
      .map(({ operation }) => operation)
      .toReversed(),
    [
      ...["querentd token create", "querentd token revoke", "querentd points grant", "querentd account quota"],
      ...["querentd account observations", "querentd person role"],
      ...["querentd invite create", "querentd invite withdraw", "querentd person remove"],
    ],
  );
  for (const { actor, address } of own.filter((entry) => entry.actor.kind === "operator"))
    assert.deepEqual([typeof actor.name, actor.id, address], ["string", null, null]);
  const removed = own.find(({ operation }) => operation === "querentd person remove");
  assert.deepEqual(removed?.before, { email: person.email, role: "viewer" });
  const installation = await entriesIn("--installation");
  for (const operation of ["password", "sign-out", "operator"])
    assert.ok(
      installation.some(
        (entry) => entry.operation === `querentd person ${operation}` && entry.target?.type === "person",
      ),
      operation,
    );
  assert.ok(installation.some(({ operation }) => operation === "querentd evidence-key rotate"));
  const { rows } = await database.query<{ text: string }>("select row_to_json(e)::text as text from audit_entries e");
  for (const secret of secrets) {
    assert.ok(secret.length > 20);
    assert.ok(!rows.some(({ text }) => text.includes(secret)));
  }
});

test("what a process wrote before it was killed is sealed by the next, and the log is whole", async () => {
  const started = await startServiceProcess({
    ...service.commandEnvironment,
    QUERENT_PORT: "0",
  });
  const account = await service.account();
  // Each ends with a commit, and the process is killed in the middle of many.
  let accepted = 0;
  const asking = Array.from({ length: 40 }, async () => {
    for (;;) {
      const answer = await fetch(`${started.address}/v1/caps`, {
        method: "PUT",
        headers: { authorization: `Bearer ${account.token}`, "content-type": "application/json" },
        body: JSON.stringify({ caps: [{ kind: "account", dayPoints: 1 + (accepted % 1000) }] }),
      }).catch(() => null);
      if (answer?.status !== 200) return;
      accepted++;
    }
  });
  await until("many changes", async () => accepted > 100);
  await started.end("SIGKILL");
  await Promise.allSettled(asking);
  await sealed();
  const { rows } = await database.query<{ count: number }>(
    "select count(*)::int as count from audit_entries where account_id = $1 and operation = 'putCaps'",
    [account.accountId],
  );
  assert.ok((rows[0]?.count ?? 0) >= accepted, `${rows[0]?.count} entries of ${accepted} changes`);
  const text = await succeeds("audit", "verify", "--account", await nameOf(account.accountId));
  assert.match(text, /^ok {5}.*, head \d+:[0-9a-f]{64}\n$/);
});

test("verify finds what was altered, and that a head which was noted is gone; export writes all formats", async () => {
  const { accountId, call } = await service.account();
  const account = await nameOf(accountId);
  for (const dayPoints of [1, 2, 3])
    await call("PUT", "/v1/caps", { body: { caps: [{ kind: "account", dayPoints }] } });
  await sealed();
  const [verdict] = JSON.parse(await succeeds("audit", "verify", "--account", account, "--json")) as [
    { entries: number; head: { sequence: number; digest: string } },
  ];
  assert.equal(verdict.entries, 3);
  const head = `${verdict.head.sequence}:${verdict.head.digest}`;
  await succeeds("audit", "verify", "--account", account, "--expect", head);
  const lines = (await succeeds("audit", "export", "--account", account, "--after", "1")).trim().split("\n");
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as AuditEntry).sequence),
    [2, 3],
  );
  assert.match(await succeeds("audit", "export", "--account", account, "--format", "csv"), /^accountId,sequence,/);
  const events = (await succeeds("audit", "export", "--account", account, "--format", "ocsf")).trim().split("\n");
  assert.equal((JSON.parse(events[0] ?? "") as { class_uid: number }).class_uid, 6003);

  await database.query("update audit_entries set actor_name = 'somebody else' where account_id = $1 and sequence = 2", [
    accountId,
  ]);
  const altered = await command("audit", "verify");
  assert.equal(altered.code, 1);
  assert.match(altered.stdout, /WRONG .*\n +Entry 2, of .*, was altered\./);
  const gone = `${verdict.head.sequence}:${"0".repeat(64)}`;
  assert.match((await command("audit", "verify", "--account", account, "--expect", gone)).stdout, /that was noted/);
});
