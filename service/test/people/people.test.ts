/** How persons sign in, what their roles let them do, and how all of it ends. */
import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { test } from "node:test";
import {
  api,
  memberRoles,
  scopes,
  withIncluded,
  type CreatedInvitation,
  type InvitationList,
  type LoginList,
  type LoginState,
  type MemberList,
  type MemberRole,
  type OneTimeLinkState,
} from "@querent/contract";
import { invite, makePasswordLink } from "../../src/people/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { invalidAt, refused, startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { goodPassword, joinAs, openBrowser, type TestPerson } from "./browser.ts";

const service = await startTestService();
const roleNames = Object.keys(memberRoles) as MemberRole[];
const path = (template: string) => template.replace(/\{\w+\}/g, newId());

test("an operation answers 403 to a role without its scope and to no other, whatever the operation", async () => {
  const { accountId } = await service.account();
  const asOperator = await joinAs(service, accountId, "viewer", { operator: true });
  const people: [held: readonly string[], person: TestPerson][] = [
    [withIncluded([...memberRoles.viewer.scopes, "admin"]), asOperator],
  ];
  for (const role of roleNames) people.push([memberRoles[role].scopes, await joinAs(service, accountId, role)]);
  // Those that end what the others of this test need, or wait.
  const last = new Set(["signOut", "endLogins", "streamEvents", "getLogin"]);
  let asked = 0;
  for (const operation of api.operations) {
    const { scope, login, method } = operation;
    if (scope === null && login !== "required") continue;
    if (last.has(operation.id)) continue;
    const each = people.map(async ([held, person]) => {
      const answer = await person.call(method, path(operation.path), {
        // So that nothing is changed by those that are allowed: no body is valid for all operations.
        ...(method === "GET" ? {} : { body: [null] }),
        headers: { "idempotency-key": newId() },
      });
      asked++;
      if (scope !== null && !held.includes(scope)) assert.ok(refused(answer, "scope_missing").detail.includes(scope));
      else assert.ok(![401, 403].includes(answer.status), `${operation.id} as ${person.state.role}: ${answer.text}`);
    });
    await Promise.all(each);
  }
  assert.ok(asked > 300, String(asked));
});

test("the roles stand in each other: each has the scopes of the one below it", () => {
  for (const [index, role] of roleNames.entries()) {
    const below = roleNames[index + 1];
    if (below !== undefined)
      for (const scope of memberRoles[below].scopes)
        assert.ok((memberRoles[role].scopes as readonly string[]).includes(scope));
    assert.ok(!(memberRoles[role].scopes as readonly string[]).includes("admin"), "the operator stays apart");
  }
  const owned = new Set<string>(memberRoles.owner.scopes);
  assert.deepEqual(
    scopes.filter((scope) => !owned.has(scope)),
    ["admin"],
  );
});

test("a role of a later version allows nothing", async () => {
  const { accountId } = await service.account();
  const person = await joinAs(service, accountId, "editor");
  await service.database.query("update members set role = 'of_a_later_version' where id = $1", [person.state.memberId]);
  refused(await person.call("GET", "/v1/tasks"), "scope_missing");
  const { body } = await person.call<LoginState>("GET", "/v1/login");
  assert.deepEqual(body.scopes, []);
});

test("a person signs in, is who they are, and signs out; the secret is stored as its hash alone", async () => {
  const { accountId } = await service.account();
  const person = await joinAs(service, accountId, "editor");
  const browser = openBrowser(service);
  const answer = await browser.call<LoginState>("POST", "/v1/login", {
    body: { email: ` ${person.email.toUpperCase()} `, password: person.password },
  });
  assert.equal(answer.status, 201, answer.text);
  assert.match(
    answer.headers["set-cookie"] ?? "",
    /^querent-login=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
  );
  assert.equal(answer.headers["cache-control"], "no-store");
  assert.ok(!answer.text.includes(browser.cookie.split("=")[1] ?? ""), "the secret is in the cookie alone");
  const { body } = await browser.call<LoginState>("GET", "/v1/login");
  assert.deepEqual(
    [body.person.email, body.role, body.accountId, body.operator, [...body.scopes].toSorted()],
    [person.email, "editor", accountId, false, [...memberRoles.editor.scopes].toSorted()],
  );
  const { rows } = await service.database.query<{ row: string }>(
    "select t::text as row from logins t where person_id = $1 union all select t::text from persons t where id = $1",
    [body.person.personId],
  );
  for (const { row } of rows) {
    assert.ok(!row.includes(browser.cookie.split("=")[1] ?? ""));
    assert.ok(!row.includes(person.password));
  }
  const cookie = browser.cookie;
  assert.equal((await browser.call("DELETE", "/v1/login")).status, 204);
  assert.equal(browser.cookie, "", "the browser forgets it");
  refused(await openBrowser(service, cookie).call("GET", "/v1/login"), "unauthorized");
});

test("whoever signs in is answered the same, whether the person, the password or the membership is missing", async () => {
  const { accountId } = await service.account();
  const person = await joinAs(service, accountId, "viewer");
  const left = await joinAs(service, accountId, "viewer");
  await service.database.query("delete from members where id = $1", [left.state.memberId]);
  const answers = await Promise.all(
    [
      { email: person.email, password: "not the password" },
      { email: `nobody-${newId()}@example.com`, password: "not the password" },
      { email: "no address", password: "not the password" },
      { email: left.email, password: left.password },
    ].map((body) => openBrowser(service).call("POST", "/v1/login", { body })),
  );
  const said = answers.map((answer) => {
    const { requestId: _, ...problem } = refused(answer, "sign_in_refused");
    return JSON.stringify([answer.status, problem, answer.headers["set-cookie"] ?? null]);
  });
  assert.equal(new Set(said).size, 1, said.join("\n"));
});

test("a password is compared with as much work for a person who does not exist", async () => {
  const { accountId } = await service.account();
  const person = await joinAs(service, accountId, "viewer");
  // The processor's time: the clock also counts what others do on this machine.
  const workOf = async (email: string) => {
    const from = process.cpuUsage();
    await openBrowser(service).call("POST", "/v1/login", { body: { email, password: "not the password" } });
    return process.cpuUsage(from).user / 1000;
  };
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let n = 0; n < 8; n++) {
    times.known.push(await workOf(person.email));
    times.unknown.push(await workOf(`nobody-${n}-${newId()}@example.com`));
  }
  // The sums: the processor's time is counted in ticks, of which one try is few.
  const [known, unknown] = [times.known, times.unknown].map((each) => each.reduce((sum, ms) => sum + ms, 0)) as [
    number,
    number,
  ];
  assert.ok(unknown > known / 2 && unknown < known * 2, `${known} ms and ${unknown} ms`);
});

test("passwords that are short, known from breaches or made of the person's own name are refused", async () => {
  const { accountId } = await service.account();
  const accept = async (password: string) => {
    const { token } = await service.database.transaction((tx) =>
      invite(tx, { accountId, email: null, role: "viewer", days: 1 }),
    );
    const body = { token, email: "ada.lovelace@example.com", name: "Ada Lovelace", password };
    return openBrowser(service).call("POST", "/v1/links/acceptance", { body });
  };
  invalidAt(await accept("short"), { "/password": "too_short" });
  for (const weak of ["password1234", "qwertyuiop12", "123456789012", "ada.lovelace@example.com", "aaaaaaaaaaaaaaaa"])
    invalidAt(await accept(weak), { "/password": "not_allowed" });
});

test("a link works once, also if two browsers use it at the same moment, and not after its expiry", async () => {
  const { accountId } = await service.account();
  const link = async () =>
    (await service.database.transaction((tx) => invite(tx, { accountId, email: null, role: "viewer", days: 1 }))).token;
  const token = await link();
  const bodies = [1, 2].map((n) => ({
    token,
    email: `two${n}-${newId()}@example.com`,
    name: "Two",
    password: goodPassword(),
  }));
  const answers = await Promise.all(
    bodies.map((body) => openBrowser(service).call("POST", "/v1/links/acceptance", { body })),
  );
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 404],
  );
  refused(await openBrowser(service).call("POST", "/v1/links/reading", { body: { token } }), "not_found");
  const late = await link();
  await service.database.query("update person_links set expires_at = now() where account_id = $1", [accountId]);
  refused(await openBrowser(service).call("POST", "/v1/links/reading", { body: { token: late } }), "not_found");
});

test("an owner invites a person, who joins with the role of the invitation and its e-mail address, whatever is sent", async () => {
  const { accountId } = await service.account();
  const owner = await joinAs(service, accountId, "owner");
  const email = `${newId()}@example.com`;
  const make = () => owner.call<CreatedInvitation>("POST", "/v1/invitations", { body: { email, role: "editor" } });
  const first = (await make()).body;
  const { body: second, status, headers } = await make();
  assert.deepEqual([status, headers["cache-control"]], [201, "no-store"]);
  const tokenOf = ({ link }: CreatedInvitation) => link.split("#")[1] ?? "";
  refused(
    await openBrowser(service).call("POST", "/v1/links/reading", { body: { token: tokenOf(first) } }),
    "not_found",
  );
  const listed = await owner.call<InvitationList>("GET", "/v1/invitations");
  assert.deepEqual(listed.body.invitations, [second.record]);
  assert.ok(!listed.text.includes(tokenOf(second)));

  const browser = openBrowser(service);
  const read = await browser.call<OneTimeLinkState>("POST", "/v1/links/reading", { body: { token: tokenOf(second) } });
  assert.deepEqual(
    [read.body.purpose, read.body.role, read.body.email, read.body.known],
    ["invitation", "editor", email, false],
  );
  const password = goodPassword();
  const joined = await browser.call<LoginState>("POST", "/v1/links/acceptance", {
    body: { token: tokenOf(second), email: "other@example.com", name: "Grace", password },
  });
  assert.deepEqual([joined.status, joined.body.person.email, joined.body.role], [201, email, "editor"]);
  assert.deepEqual((await owner.call<InvitationList>("GET", "/v1/invitations")).body.invitations, []);
  const { body } = await owner.call<MemberList>("GET", "/v1/members");
  assert.deepEqual(
    new Map<string, string>(body.members.map((member) => [member.email, member.role])),
    new Map<string, string>([
      [email, "editor"],
      [owner.email, "owner"],
    ]),
  );
  refused(await owner.call("POST", "/v1/invitations", { body: { email, role: "viewer" } }), "state_conflict");
});

test("a person who is known joins another account with the password, goes between the two, and sees nothing of one in the other", async () => {
  const [one, other] = [await service.account(), await service.account()];
  const person = await joinAs(service, one.accountId, "viewer");
  const owner = await joinAs(service, other.accountId, "owner");
  const { body } = await owner.call<CreatedInvitation>("POST", "/v1/invitations", {
    body: { email: person.email, role: "editor" },
  });
  const token = body.link.split("#")[1] ?? "";
  const browser = openBrowser(service);
  const accept = (password: string) =>
    browser.call<LoginState>("POST", "/v1/links/acceptance", { body: { token, password } });
  refused(await accept("not the password"), "sign_in_refused");
  const joined = await accept(person.password);
  assert.deepEqual([joined.status, joined.body.accountId, joined.body.memberships.length], [201, other.accountId, 2]);
  const task = await one.answerTo("Why?");
  refused(await browser.call("GET", `/v1/tasks/${task.taskId}`), "not_found");
  const gone = await browser.call<LoginState>("PUT", "/v1/login/account", { body: { accountId: one.accountId } });
  assert.deepEqual([gone.body.accountId, gone.body.role], [one.accountId, "viewer"]);
  assert.equal((await browser.call("GET", `/v1/tasks/${task.taskId}`)).status, 200);
  refused(await browser.call("GET", "/v1/members"), "scope_missing");
  const third = await service.account();
  refused(await browser.call("PUT", "/v1/login/account", { body: { accountId: third.accountId } }), "not_found");
});

test("members of another account, their logins and invitations are not found", async () => {
  const [one, other] = [await service.account(), await service.account()];
  const owner = await joinAs(service, one.accountId, "owner");
  const stranger = await joinAs(service, other.accountId, "owner");
  const member = await joinAs(service, one.accountId, "viewer");
  const { body } = await owner.call<CreatedInvitation>("POST", "/v1/invitations", {
    body: { email: `${newId()}@example.com`, role: "viewer" },
  });
  const of = `/v1/members/${member.state.memberId}`;
  for (const [method, address, sent] of [
    ["PUT", of, { role: "owner" }],
    ["DELETE", of],
    ["GET", `${of}/logins`],
    ["DELETE", `${of}/logins`],
    ["DELETE", `/v1/invitations/${body.record.invitationId}`],
    ["DELETE", `/v1/logins/${member.state.loginId}`],
  ] as const)
    refused(await stranger.call(method, address, sent === undefined ? {} : { body: sent }), "not_found");
  assert.equal((await member.call("GET", "/v1/login")).status, 200);
});

test("the last owner stays an owner, also if two owners remove each other at the same moment", async () => {
  const { accountId } = await service.account();
  const [one, other] = [await joinAs(service, accountId, "owner"), await joinAs(service, accountId, "owner")];
  const answers = await Promise.all([
    one.call("DELETE", `/v1/members/${other.state.memberId}`),
    other.call("PUT", `/v1/members/${one.state.memberId}`, { body: { role: "viewer" } }),
  ]);
  const { rows } = await service.database.query<{ id: string }>(
    "select id from members where account_id = $1 and role = 'owner'",
    [accountId],
  );
  assert.equal(rows.length, 1, answers.map(({ text }) => text).join("\n"));
  const left = rows[0]?.id === one.state.memberId ? one : other;
  refused(await left.call("DELETE", `/v1/members/${left.state.memberId}`), "state_conflict");
  refused(await left.call("PUT", `/v1/members/${left.state.memberId}`, { body: { role: "admin" } }), "state_conflict");
});

test("a login ends everywhere within a second, open streams included: by a removal, another role, an admin or the person", async () => {
  const { accountId } = await service.account();
  const owner = await joinAs(service, accountId, "owner");
  const admin = await joinAs(service, accountId, "admin");
  const ends: Record<string, (person: TestPerson) => Promise<{ status: number }>> = {
    removal: (person) => owner.call("DELETE", `/v1/members/${person.state.memberId}`),
    "another role": (person) => owner.call("PUT", `/v1/members/${person.state.memberId}`, { body: { role: "viewer" } }),
    "an admin": (person) => admin.call("DELETE", `/v1/members/${person.state.memberId}/logins`),
    "the person, elsewhere": async (person) => {
      const elsewhere = openBrowser(service);
      const { email, password } = person;
      await elsewhere.call("POST", "/v1/login", { body: { email, password } });
      return elsewhere.call("DELETE", "/v1/logins");
    },
    "another password": async (person) => {
      const { email, password } = person;
      const elsewhere = openBrowser(service);
      await elsewhere.call("POST", "/v1/login", { body: { email, password } });
      const body = { currentPassword: password, newPassword: goodPassword() };
      return elsewhere.call("PUT", "/v1/login/password", { body });
    },
  };
  for (const [how, end] of Object.entries(ends)) {
    const person = await joinAs(service, accountId, "admin");
    const stream = await openStream(person);
    const { status } = await end(person);
    assert.ok(status < 300, `${how}: ${status}`);
    const from = performance.now();
    refused(await person.call("GET", "/v1/login"), "unauthorized");
    await stream.closed;
    const ms = performance.now() - from;
    // The stream is looked at each second; what is beyond is the machine.
    assert.ok(ms < 3000, `${how}: ${ms} ms`);
  }
});

/** An event stream of a person, and when the service has closed it. */
async function openStream(person: TestPerson): Promise<{ closed: Promise<void> }> {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const { promise: opened, resolve: open, reject } = Promise.withResolvers<void>();
  const headers = { cookie: person.cookie, "x-querent-login": "1", "sec-fetch-site": "same-origin" };
  const request = httpRequest(`${service.address}/v1/events`, { headers: { ...headers, accept: "text/event-stream" } });
  request.on("response", (response) => {
    if (response.statusCode === 200) open();
    else reject(new Error(String(response.statusCode)));
    response.resume().once("close", close);
  });
  request.on("error", reject).end();
  await opened;
  return { closed };
}

test("a login ends after its limits, used or not", async () => {
  const { accountId } = await service.account();
  for (const change of ["expires_at = now()", "last_used_at = now() - interval '25 hours'"]) {
    const person = await joinAs(service, accountId, "viewer");
    assert.equal((await person.call("GET", "/v1/login")).status, 200);
    await service.database.query(`update logins set ${change} where id = $1`, [person.state.loginId]);
    refused(await person.call("GET", "/v1/login"), "unauthorized");
  }
});

test("a person sees the browsers in which they are signed in, and ends one", async () => {
  const { accountId } = await service.account();
  const person = await joinAs(service, accountId, "viewer");
  const other = openBrowser(service);
  await other.call("POST", "/v1/login", {
    body: { email: person.email, password: person.password },
    headers: { "user-agent": "Another browser" },
  });
  const { body } = await person.call<LoginList>("GET", "/v1/logins");
  assert.deepEqual(
    new Map<boolean, (string | null)[]>(body.logins.map((login) => [login.current, [login.userAgent, login.address]])),
    new Map<boolean, (string | null)[]>([
      [false, ["Another browser", "127.0.0.1"]],
      [true, [null, "127.0.0.1"]],
    ]),
  );
  const id = body.logins.find(({ current }) => !current)?.loginId;
  assert.equal((await person.call("DELETE", `/v1/logins/${id}`)).status, 204);
  refused(await other.call("GET", "/v1/login"), "unauthorized");
  assert.equal((await person.call("GET", "/v1/login")).status, 200);
});

test("a link of the operator sets a new password, ends all logins, and the former password is refused", async () => {
  const { accountId } = await service.account();
  const person = await joinAs(service, accountId, "viewer");
  const token = await service.database.transaction((tx) => makePasswordLink(tx, person.state.person.personId, 1));
  const browser = openBrowser(service);
  const read = await browser.call<OneTimeLinkState>("POST", "/v1/links/reading", { body: { token } });
  assert.deepEqual([read.body.purpose, read.body.email, read.body.accountName], ["password", person.email, null]);
  const password = goodPassword();
  assert.equal((await browser.call("POST", "/v1/links/acceptance", { body: { token, password } })).status, 201);
  refused(await person.call("GET", "/v1/login"), "unauthorized");
  const signIn = (tried: string) =>
    openBrowser(service).call("POST", "/v1/login", { body: { email: person.email, password: tried } });
  refused(await signIn(person.password), "sign_in_refused");
  assert.equal((await signIn(password)).status, 201);
});

test("a token is issued with the scopes of whoever issues it, and no others; the operator's may have any", async () => {
  const { accountId } = await service.account();
  const admin = await joinAs(service, accountId, "admin");
  const issue = (scope: string) => admin.call("POST", "/v1/tokens", { body: { name: "program", scopes: [scope] } });
  for (const scope of memberRoles.admin.scopes) assert.equal((await issue(scope)).status, 201, scope);
  for (const scope of ["members:manage", "admin"])
    assert.ok(refused(await issue(scope), "scope_missing").detail.includes(scope));
});

test("what a person asks is counted under the membership, and goes on after the login", async () => {
  const account = await service.account();
  const person = await joinAs(service, account.accountId, "editor");
  const answer = await person.call<{ tasks: { taskId: string }[] }>("POST", "/v1/tasks/batch", {
    body: [{ question: "Why?", platformCode: "simulator", options: {} }],
    headers: { "idempotency-key": newId() },
  });
  assert.equal(answer.status, 202, answer.text);
  await person.call("DELETE", "/v1/login");
  await account.ended(answer.body.tasks[0]?.taskId ?? "");
  const { body } = await account.get<{ days: { tokenId: string | null; tokenName: string | null }[] }>(
    "/v1/usage/days",
  );
  assert.deepEqual(
    body.days.map(({ tokenId, tokenName }) => [tokenId, tokenName]),
    [[person.state.memberId, person.email]],
  );
});

test("what has ended by itself is deleted, and a removed person with it", async () => {
  const { accountId } = await service.account();
  const owner = await joinAs(service, accountId, "owner");
  const person = await joinAs(service, accountId, "viewer");
  await owner.call("DELETE", `/v1/members/${person.state.memberId}`);
  await until("the person to be gone", async () => {
    const { rowCount } = await service.database.query("select from persons where id = $1", [
      person.state.person.personId,
    ]);
    return rowCount === 0;
  });
});
