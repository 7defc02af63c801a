/**
 * Attacks on sessions beside those of `attacks.test.ts`: races of revocation, secrets in the wrong places, caches, planted cookies, and what
 * a stranger learns of who is a person here. Imports `service/src/people` by way of the service.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { api, type LoginList, type LoginState, type MemberList } from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";
import { refused, startTestService } from "../harness/service.ts";
import { goodPassword, joinAs, openBrowser } from "./browser.ts";

const service = await startTestService();
const { accountId } = await service.account();
const owner = await joinAs(service, accountId, "owner");

const memberOf = async (email: string) => {
  const { body } = await owner.call<MemberList>("GET", "/v1/members");
  return body.members.find((member) => member.email === email)?.memberId ?? assert.fail(email);
};

test("no request that is sent after a login was ended is answered, however many are under way meanwhile", async () => {
  const ends: readonly [
    what: string,
    end: (email: string, memberId: string, browser: ReturnType<typeof openBrowser>) => Promise<{ status: number }>,
  ][] = [
    ["signing out", (_email, _id, browser) => browser.call("DELETE", "/v1/login")],
    ["an admin", (_email, memberId) => owner.call("DELETE", `/v1/members/${memberId}/logins`)],
    ["the loss of the membership", (_email, memberId) => owner.call("DELETE", `/v1/members/${memberId}`)],
    ["another role", (_email, memberId) => owner.call("PUT", `/v1/members/${memberId}`, { body: { role: "viewer" } })],
  ];
  for (const [what, end] of ends) {
    const person = await joinAs(service, accountId, "editor");
    const memberId = await memberOf(person.email);
    const { cookie } = person;
    const asBefore = () => openBrowser(service, cookie).call("GET", "/v1/panels");
    let ended = false;
    const late: number[] = [];
    let count = 0;
    const worker = async () => {
      for (let after = 0; after < 3;) {
        const isLate = ended;
        const { status } = await asBefore();
        count++;
        if (isLate) {
          late.push(status);
          after++;
        } else assert.ok([200, 401].includes(status), `${what}: ${status}`);
      }
    };
    const workers = Array.from({ length: 8 }, worker);
    const { status } = await end(person.email, memberId, openBrowser(service, cookie));
    ended = true;
    assert.ok(status < 300, `${what}: ${status}`);
    await Promise.all(workers);
    assert.deepEqual([...new Set(late)], [401], what);
    assert.ok(count > 24, what);
  }
});

test("two that sign out at once, and one that signs in meanwhile, leave exactly the new login", async () => {
  const { email, password, cookie } = await joinAs(service, accountId, "viewer");
  const renewed = openBrowser(service);
  const [one, two] = await Promise.all([
    openBrowser(service, cookie).call("DELETE", "/v1/login"),
    openBrowser(service, cookie).call("DELETE", "/v1/login"),
    renewed.call("POST", "/v1/login", { body: { email, password } }),
  ]);
  for (const { status } of [one, two]) assert.ok([204, 401].includes(status), String(status));
  const { body } = await renewed.call<LoginList>("GET", "/v1/logins");
  assert.equal(body.logins.length, 1);
  refused(await openBrowser(service, cookie).call("GET", "/v1/login"), "unauthorized");
});

test("what is refused at the sign-in says the same of persons, strangers, members of other accounts and removed ones", async () => {
  const elsewhere = await joinAs(service, (await service.account()).accountId, "viewer");
  const member = await joinAs(service, accountId, "viewer");
  const gone = await joinAs(service, accountId, "viewer");
  assert.equal((await owner.call("DELETE", `/v1/members/${await memberOf(gone.email)}`)).status, 204);
  const said = new Set<string>();
  for (const email of [member.email, elsewhere.email, gone.email, `nobody-${newId()}@example.com`]) {
    const answer = await openBrowser(service).call<Record<string, unknown>>("POST", "/v1/login", {
      body: { email, password: goodPassword() },
    });
    const { instance: _instance, requestId: _requestId, ...problem } = answer.body;
    const names = Object.keys(answer.headers).filter(
      (name) => !["date", "x-request-id", "content-length"].includes(name),
    );
    said.add(JSON.stringify([answer.status, problem, names.toSorted(), answer.headers["set-cookie"] ?? null]));
  }
  assert.equal(said.size, 1, [...said].join("\n"));
});

test("a stranger and a person take as long to be refused: the password is hashed for both", async () => {
  const member = await joinAs(service, accountId, "viewer");
  const times = { person: [] as number[], stranger: [] as number[], malformed: [] as number[] };
  const timed = async (list: number[], body: object) => {
    const from = performance.now();
    await openBrowser(service).call("POST", "/v1/login", { body });
    list.push(performance.now() - from);
  };
  // In turns, so that other load meets both; fewer than the tries that an address has.
  for (let round = 0; round < 9; round++) {
    await timed(times.person, { email: member.email, password: "a wrong password" });
    await timed(times.stranger, { email: `nobody-${newId()}@example.com`, password: "a wrong password" });
    await timed(times.malformed, { email: 1 });
  }
  const median = (list: readonly number[]) => list.toSorted((one, other) => one - other)[4] ?? 0;
  const [person, stranger] = [median(times.person), median(times.stranger)];
  // Hashing takes tens of milliseconds: whoever skipped it would be several times as fast, as what is malformed is.
  assert.ok(Math.max(person, stranger) < 2.5 * Math.min(person, stranger), JSON.stringify({ person, stranger }));
});

test("a login counts as a cookie alone: not in an address, another header, a body, or beside a second one", async () => {
  const secret = owner.cookie.split("=")[1] ?? "";
  const bare = { "x-querent-login": "1", "sec-fetch-site": "same-origin" };
  for (const [path, headers] of [
    [`/v1/login?querent-login=${secret}`, {}],
    [`/v1/login;querent-login=${secret}`, {}],
    ["/v1/login", { "x-querent-login": secret }],
    ["/v1/login", { authorization: `Bearer ${secret}` }],
    ["/v1/login", { authorization: `Cookie ${owner.cookie}` }],
    ["/v1/login", { cookie2: owner.cookie }],
    ["/v1/login", { "x-forwarded-user": owner.email, "remote-user": owner.email, "x-remote-user": owner.email }],
  ] as const) {
    const { status } = await service.call("GET", path, { headers: { ...bare, ...headers } });
    assert.ok([401, 404, 422].includes(status), `${path}: ${status}`);
  }
  // A sibling of the host can plant a cookie beside the own one: nobody is signed in by whichever comes first without the own secret.
  const planted = `querent-login=${"A".repeat(43)}`;
  const other = await joinAs(service, accountId, "viewer");
  for (const cookie of [`${planted}; ${owner.cookie}`, `${owner.cookie}; ${planted}`]) {
    const answer = await service.call<LoginState>("GET", "/v1/login", { headers: { ...bare, cookie } });
    assert.ok(answer.status === 401 || answer.body.person.email === owner.email, `${cookie}: ${answer.status}`);
    assert.notEqual(answer.body.person?.email, other.email);
  }
});

test("no reply to a login may be kept by a cache, and none tells its secret", async () => {
  const secret = owner.cookie.split("=")[1] ?? "";
  for (const operation of api.operations) {
    if (operation.method !== "GET" || operation.path.includes("{") || operation.id === "listEvents") continue;
    if (operation.scope === null && operation.login === undefined) continue;
    const answer = await owner.call("GET", operation.path);
    // Caches keep no refusal.
    if (answer.status === 200)
      assert.match(answer.headers["cache-control"] ?? "", /no-store|private|no-cache/, operation.id);
    assert.ok(!answer.text.includes(secret), operation.id);
  }
  const { rows } = await service.database.query<{ row: string }>("select l::text as row from logins l");
  for (const { row } of rows) assert.ok(!row.includes(secret), "only a hash is stored");
});

test("a method that a header or a parameter names is not taken for the request's own", async () => {
  const before = (await owner.call<MemberList>("GET", "/v1/members")).body.members.length;
  const memberId = await memberOf((await joinAs(service, accountId, "viewer")).email);
  for (const method of ["GET", "POST"])
    for (const [query, headers] of [
      ["", { "x-http-method-override": "DELETE" }],
      ["", { "x-method-override": "DELETE" }],
      ["?_method=DELETE", {}],
    ] as const)
      await owner.call(method, `/v1/members/${memberId}${query}`, {
        headers,
        ...(method === "POST" ? { body: {} } : {}),
      });
  assert.equal((await owner.call<MemberList>("GET", "/v1/members")).body.members.length, before + 1);
});

test("nobody gives themselves a role, a project or a scope with members that a body does not have", async () => {
  const viewer = await joinAs(service, accountId, "viewer");
  const { email, password } = viewer;
  for (const more of [
    { role: "owner" },
    { scopes: ["admin"] },
    { projects: null },
    { operator: true },
    { accountId: newId() },
  ]) {
    const answer = await openBrowser(service).call("POST", "/v1/login", { body: { email, password, ...more } });
    refused(answer, "validation_failed");
  }
  const memberId = await memberOf(email);
  refused(await viewer.call("PUT", `/v1/members/${memberId}`, { body: { role: "owner" } }), "scope_missing");
});
