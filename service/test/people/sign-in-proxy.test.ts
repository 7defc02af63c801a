import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { LoginState, MemberList, ProviderSignOut, SignInWays } from "@querent/contract";
import { generateKeyPair, SignJWT } from "jose";
import { readConfig } from "../../src/app/config.ts";
import { readSignInProviders } from "../../src/app/sign-in-providers.ts";
import { newId } from "../../src/kernel/ids.ts";
import { invite, unlink } from "../../src/people/index.ts";
import { refused, startTestService, type TestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { joinAs, openBrowser, type TestBrowser } from "./browser.ts";
import { startProvider } from "./identity-provider.ts";
import { proxyAddress, send, startSigningProxy, type SigningProxy } from "./signing-proxy.ts";

const folder = mkdtempSync(join(tmpdir(), "querent-proxy-"));
test.after(() => rmSync(folder, { recursive: true }));
const account = `behind a proxy ${newId()}`;

function fileWith(proxy: string): string {
  const path = join(folder, `${newId()}.yaml`);
  writeFileSync(path, `proxy:\n  name: Company\n  domains: [example.com]${proxy}`);
  return path;
}

const rules = `
  members:
    - { account: "${account}", group: staff, role: viewer }
    - { account: "${account}", group: admins, role: admin }
`;
const proxy = await startSigningProxy(() => service);
test.after(() => proxy.close());
const service: TestService = await startTestService({
  environment: {
    QUERENT_SIGN_IN_PROVIDERS: fileWith(`
  addresses: [${proxyAddress}]
  headers: { email: X-Forwarded-Email, name: X-Forwarded-Name, groups: X-Forwarded-Groups }
  signOutAddress: /oauth2/sign_out${rules}`),
    QUERENT_SIGN_INS_PER_MINUTE: "0",
  },
});
const { database } = service;
const ruled = await service.account();
await database.query("update accounts set name = $2 where id = $1", [ruled.accountId, account]);
const owner = await joinAs(service, ruled.accountId, "owner");

const someone = () => `${newId()}@example.com`;
const states = (email: string, groups = "staff"): void => {
  proxy.clients = "removes";
  proxy.states = [
    ["X-Forwarded-Email", email],
    ["X-Forwarded-Groups", groups],
  ];
};
const open = (through: SigningProxy = proxy) => openBrowser(through.asService);
const signIn = (browser: TestBrowser, body: { link?: string } = {}) =>
  browser.call<LoginState>("POST", "/v1/login/proxy", { body });
const stays = async (browser: TestBrowser) => (await browser.call("GET", "/v1/login")).status === 200;

async function signedIn(email = someone(), groups?: string): Promise<TestBrowser & { state: LoginState }> {
  states(email, groups);
  const browser = open();
  const answer = await signIn(browser);
  assert.equal(answer.status, 201, answer.text);
  return Object.assign(browser, { state: answer.body });
}

/** What the page of another browser would send in a request of the console, with any headers, from any address. */
const direct = (
  path: string,
  { method = "POST", more = [], from }: { method?: string; more?: [string, string][]; from?: string } = {},
) =>
  send<LoginState>(service.address, method, path, {
    headers: { "x-querent-login": "1", "sec-fetch-site": "same-origin" },
    ...(method === "POST" ? { body: {} } : {}),
    ...{ more, ...(from === undefined ? {} : { from }) },
  });

test("whom the proxy states is signed in, with the role of the groups, and the log says how", async () => {
  const email = someone();
  proxy.states = [
    ["X-Forwarded-Email", email.toUpperCase()],
    ["X-Forwarded-Name", Buffer.from("Zoë Ŵ").toString("latin1")],
    ["X-Forwarded-Groups", "unknown, admins,staff"],
  ];
  const browser = open();
  const ways = await browser.call<SignInWays>("GET", "/v1/sign-in");
  assert.deepEqual([ways.body.proxy, ways.body.providers], [{ name: "Company" }, []]);
  const answer = await signIn(browser);
  assert.equal(answer.status, 201, answer.text);
  const { role, accountId, person, way, providerId, hasPassword, needsSecondFactor } = answer.body;
  assert.deepEqual(
    [role, accountId, person.email, person.name, way, providerId, hasPassword, needsSecondFactor],
    ["admin", ruled.accountId, email.toUpperCase(), "Zoë Ŵ", "provider", "proxy", false, false],
  );
  assert.match(browser.cookie, /^querent-login=[A-Za-z0-9_-]{43}$/);
  const { rows } = await database.query<{ actor_name: string; after: string }>(
    "select actor_name, after from audit_entries where request_id = $1 and operation = 'signInByProxy' order by id",
    [answer.headers["x-request-id"]],
  );
  assert.deepEqual(
    new Map(rows.map((row) => [row.actor_name, JSON.parse(row.after) as object])),
    new Map<string, object>([
      ["Company", { role: "admin", provider: "proxy" }],
      [email.toUpperCase(), { way: "provider", provider: "proxy" }],
    ]),
  );
  // The same person, however the address is written; a role by the groups of the next sign-in.
  states(email, "staff");
  assert.equal(await stays(browser), true);
  const next = await signIn(open());
  assert.deepEqual([next.body.person.personId, next.body.role], [person.personId, "viewer"]);
  assert.equal(await stays(browser), false, "a login with more than the role allows has ended");
  states(email, "");
  refused(await signIn(open()), "sign_in_refused");
  const { rowCount } = await database.query("select from persons where id = $1", [person.personId]);
  assert.equal(rowCount, 0, "who is a member of nothing is nobody here");
});

test("a header from any other address is ignored, whatever it says of where it comes from, and the log says so once", async () => {
  const email = owner.email;
  const spoofed: [string, string][] = [
    ["X-Forwarded-Email", email],
    ["X-Forwarded-For", proxyAddress],
    ["X-Real-IP", proxyAddress],
    ["Forwarded", `for=${proxyAddress}`],
  ];
  for (const from of ["127.0.0.1", "127.0.0.8", "127.0.0.90"]) {
    const ways = await send<SignInWays>(service.address, "GET", "/v1/sign-in", { more: spoofed, from });
    assert.equal(ways.body.proxy, null);
    const answer = await direct("/v1/login/proxy", { more: spoofed, from });
    assert.match(refused(answer, "sign_in_refused").detail ?? "", /did not come by way of Company/);
    assert.equal(answer.headers["set-cookie"], undefined);
    refused(await direct("/v1/members", { method: "GET", more: spoofed, from }), "unauthorized");
  }
  // By way of the proxy, which takes them out: who is stated is who the proxy has signed in.
  const mine = someone();
  states(mine);
  const answer = await send<LoginState>(proxy.address, "POST", "/v1/login/proxy", {
    headers: { "x-querent-login": "1", "sec-fetch-site": "same-origin" },
    ...{ body: {}, more: spoofed },
  });
  assert.equal(answer.body.person.email, mine);
  const told = service.events.filter(({ event }) => event === "sign_in.header_ignored");
  assert.deepEqual(told.length, 1);
  assert.ok(JSON.stringify(told).includes("127.0.0.1") && !JSON.stringify(told).includes(email));
});

test("a service that trusts the proxy's X-Forwarded-For asks the connection itself where a request is from", async () => {
  const trusting = await startTestService({
    environment: {
      QUERENT_TRUSTED_PROXIES: "127.0.0.1",
      QUERENT_SIGN_IN_PROVIDERS: fileWith(`
  addresses: [${proxyAddress}]
  headers: { email: X-Forwarded-Email }
`),
    },
  });
  const answer = await send(trusting.address, "POST", "/v1/login/proxy", {
    headers: { "x-querent-login": "1", "sec-fetch-site": "same-origin" },
    body: {},
    more: [
      ["X-Forwarded-Email", someone()],
      ["X-Forwarded-For", proxyAddress],
    ],
  });
  assert.match(refused(answer, "sign_in_refused").detail ?? "", /did not come by way of/);
});

test("a header that a client sends beside the proxy's, several values in one, and whatever is not one address are refused", async () => {
  const { email } = owner;
  const mine = someone();
  const spoof = (pairs: [string, string][], clients: SigningProxy["clients"]) => {
    states(mine);
    proxy.clients = clients;
    return send<LoginState>(proxy.address, "POST", "/v1/login/proxy", {
      headers: { "x-querent-login": "1", "sec-fetch-site": "same-origin" },
      ...{ body: {}, more: pairs },
    });
  };
  for (const clients of ["keeps", "joins"] as const)
    for (const name of ["X-Forwarded-Email", "x-forwarded-email", "X-FORWARDED-EMAIL"])
      refused(await spoof([[name, email]], clients), "sign_in_refused");
  refused(await spoof([["X-Forwarded-Groups", "admins"]], "keeps"), "sign_in_refused");
  // Other servers take these for the same header. Here they are others.
  for (const name of ["X_Forwarded_Email", "x_forwarded_email", "X-Forwarded_Email", "HTTP_X_FORWARDED_EMAIL"]) {
    const answer = await spoof([[name, email]], "keeps");
    assert.deepEqual([answer.status, answer.body.person.email], [201, mine], name);
  }
  for (const stated of [
    `${email},${mine}`,
    `${email};${mine}`,
    `${email} ${mine}`,
    `<${email}>`,
    `"${email}"`,
    `Ada <${email}>`,
    "ada",
    "ada@",
    "@example.com",
    "ada@example.com@example.com",
    "ada@ex\u0430mple.com".replace("\u0430", Buffer.from("\u0430").toString("latin1")),
    "ada\u00e9@example.com",
    "ada\t@example.com",
    `${"a".repeat(300)}@example.com`,
    "ada@elsewhere.example",
    "ada@example.com.elsewhere.example",
  ]) {
    states(stated);
    const browser = open();
    refused(await signIn(browser), "sign_in_refused");
    assert.equal(browser.cookie, "", stated);
  }
  states("");
  assert.match(refused(await signIn(open()), "sign_in_refused").detail ?? "", /does not say who you are/);
  const everything = JSON.stringify(service.events);
  assert.ok(!everything.includes("ada@ex") && !everything.includes(mine), "the log has nothing of the headers");
  await until("the refusals to be in the log of the installation", async () => {
    const { rows } = await database.query<{ after: string }>(
      "select after from audit_entries where kind = 'refusal' and operation = 'signInByProxy' order by id limit 1",
    );
    return rows[0]?.after.includes('"provider":"proxy"') === true;
  });
});

test("a login that the proxy began ends with the first request for which it states somebody else, nobody, or several", async () => {
  const other = someone();
  const ends: [string, () => void][] = [
    ["another person", () => states(other)],
    ["nobody", () => (proxy.states = [])],
    ["an empty header", () => states("")],
    ["two", () => states(`${someone()},${other}`)],
  ];
  for (const [what, change] of ends) {
    const email = someone();
    const browser = await signedIn(email);
    const { cookie } = browser;
    assert.equal(await stays(browser), true);
    change();
    refused(await browser.call("GET", "/v1/members"), "unauthorized");
    states(email);
    assert.equal(await stays(openBrowser(proxy.asService, cookie)), false, what);
    const { rows } = await database.query<{ after: string }>(
      "select after from audit_entries where operation = 'endProviderLogins' and target_id = $1",
      [browser.state.loginId],
    );
    assert.equal(rows.length, 1, what);
  }
});

test("the cookie of such a login is of no use around the proxy, and nobody ends the login from there", async () => {
  const email = someone();
  const browser = await signedIn(email);
  for (const more of [[], [["X-Forwarded-Email", email]]] as [string, string][][]) {
    const answer = await send(service.address, "GET", "/v1/login", {
      headers: { "x-querent-login": "1", "sec-fetch-site": "same-origin", cookie: browser.cookie },
      more,
    });
    refused(answer, "unauthorized");
  }
  assert.equal(await stays(browser), true);
  // A login with a password is none of the proxy's, and works by way of it and around it.
  states(email);
  assert.equal(await stays(openBrowser(proxy.asService, owner.cookie)), true);
  assert.equal(await stays(owner), true);
});

test("pages of other sites sign nobody in, and a planted cookie is not taken over", async () => {
  states(someone());
  for (const headers of [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
    { "x-querent-login": "" },
  ])
    refused(await open().call("POST", "/v1/login/proxy", { body: {}, headers }), "foreign_request");
  const bare = { "x-querent-login": "1" };
  const foreign = await send(proxy.address, "POST", "/v1/login/proxy", {
    headers: { ...bare, origin: "https://evil.example" },
    body: {},
  });
  refused(foreign, "foreign_request");
  refused(await open().call("POST", "/v1/login/proxy", { body: { email: owner.email } }), "validation_failed");
  const planted = `querent-login=${"A".repeat(43)}`;
  const browser = openBrowser(proxy.asService, planted);
  assert.equal((await signIn(browser)).status, 201);
  assert.notEqual(browser.cookie, planted);
  const before = browser.cookie;
  assert.equal((await signIn(browser)).status, 201);
  assert.notEqual(browser.cookie, before, "each sign-in has a secret of its own");
});

test("a header stands for no token: programs need theirs behind the proxy, too", async () => {
  states(owner.email, "admins");
  for (const headers of [{}, { authorization: "Bearer qrt_wrong" }])
    refused(await send(proxy.address, "GET", "/v1/usage", { headers }), "unauthorized");
  refused(await open().call("GET", "/v1/members"), "unauthorized");
  const answer = await send(proxy.address, "GET", "/v1/usage", { headers: { authorization: `Bearer ${ruled.token}` } });
  assert.equal(answer.status, 200);
});

test("an invitation is accepted by whom the proxy states, and for its address alone; who was invited keeps the role", async () => {
  const email = someone();
  const linkFor = async (invited: string) =>
    (
      await database.transaction((tx) =>
        invite(tx, { accountId: ruled.accountId, email: { text: invited, key: invited }, role: "editor", days: 1 }),
      )
    ).token;
  states(email, "");
  refused(await signIn(open()), "sign_in_refused");
  refused(await signIn(open(), { link: await linkFor(someone()) }), "sign_in_refused");
  refused(await signIn(open(), { link: "A".repeat(43) }), "not_found");
  const joined = await signIn(open(), { link: await linkFor(email) });
  assert.deepEqual([joined.status, joined.body.role], [201, "editor"], joined.text);
  states(email, "staff");
  assert.equal((await signIn(open())).body.role, "editor");
});

test("a person who has a password is the same person, and one who was removed, or whose groups went, is out at once", async () => {
  const person = await joinAs(service, ruled.accountId, "editor");
  const browser = await signedIn(person.email, "");
  assert.deepEqual([browser.state.person.personId, browser.state.role], [person.state.person.personId, "editor"]);
  const { body } = await owner.call<MemberList>("GET", "/v1/members");
  const memberId = body.members.find((member) => member.email === person.email)?.memberId ?? "";
  assert.equal((await owner.call("DELETE", `/v1/members/${memberId}`)).status, 204);
  assert.equal(await stays(browser), false);
  refused(await signIn(browser), "sign_in_refused");
  const ruledOne = await signedIn();
  const { personId } = ruledOne.state.person;
  assert.equal(await database.transaction((tx) => unlink(tx, personId)), 1);
  assert.equal(await stays(ruledOne), false, "unlinking ends the logins");
});

test("an account that requires a second factor leaves it to the proxy, and a person without a password adds no other way", async () => {
  const browser = await signedIn(someone(), "admins");
  await database.query("update accounts set second_factor_since = now() where id = $1", [ruled.accountId]);
  try {
    assert.equal((await browser.call("GET", "/v1/members")).status, 200);
    assert.equal((await browser.call<LoginState>("GET", "/v1/login")).body.needsSecondFactor, false);
  } finally {
    await database.query("update accounts set second_factor_since = null where id = $1", [ruled.accountId]);
  }
  const body = { currentPassword: null, newPassword: `orchid lantern ${newId()}` };
  refused(await browser.call("PUT", "/v1/login/password", { body }), "state_conflict");
});

test("signing out ends the login, and sends the browser where it ends its session at the proxy", async () => {
  const browser = await signedIn();
  const answer = await browser.call<ProviderSignOut>("POST", "/v1/login/sign-out");
  assert.deepEqual([answer.status, answer.body.address], [200, "/oauth2/sign_out"]);
  assert.equal(await stays(browser), false);
});

test("a proxy that was taken out of the file leaves no login that works", async () => {
  const browser = await signedIn();
  const { rows } = await database.query<{ sha256: Buffer }>("select sha256 from logins where id = $1", [
    browser.state.loginId,
  ]);
  assert.equal(rows.length, 1);
  const without = await startTestService();
  const elsewhere = await joinAs(without, (await without.account()).accountId, "viewer");
  await without.database.query("update logins set way = 'provider', provider = 'proxy' where id = $1", [
    elsewhere.state.loginId,
  ]);
  refused(await elsewhere.call("GET", "/v1/login"), "unauthorized");
  refused(await elsewhere.call("POST", "/v1/login/proxy", { body: {} }), "not_found");
});

test("a token counts if the proxy has signed it, for this service and now; nothing else does", async () => {
  const through = await startSigningProxy(() => signing);
  test.after(() => through.close());
  const behind = await startSigningProxy(() => late);
  test.after(() => behind.close());
  const provider = await startProvider({
    ...{ publicUrl: "https://querent.example", providerId: "unused" },
    serviceAddress: () => signing.address,
  });
  test.after(() => provider.close());
  const { issuer } = provider;
  const signing: TestService = await startTestService({
    environment: {
      ...provider.environment([]),
      QUERENT_PUBLIC_URL: "http://127.0.0.1",
      QUERENT_SIGN_IN_PROVIDERS: fileWith(`
  addresses: [127.0.0.0/28]
  token: { header: Cf-Access-Jwt-Assertion, issuer: "${issuer}", audience: an-audience, keys: "${issuer}/jwks" }
${rules}`),
      QUERENT_SIGN_INS_PER_MINUTE: "0",
    },
  });
  const { accountId } = await signing.account();
  await signing.database.query("update accounts set name = $2 where id = $1", [accountId, account]);
  const now = () => Math.floor(Date.now() / 1000);
  const email = someone();
  const right = { sub: "a subject", aud: "an-audience", email, groups: ["staff"] };
  // A claim that is undefined is left out.
  const tokenWith = (claims: object = {}) => provider.logoutToken({ ...right, ...claims }, { typ: "JWT" });
  const attempt = async (token: string, more: [string, string][] = []) => {
    through.states = [["Cf-Access-Jwt-Assertion", token], ...more];
    const browser = openBrowser(through.asService);
    return { browser, answer: await signIn(browser) };
  };
  const { browser, answer } = await attempt(await tokenWith());
  assert.equal(answer.status, 201, answer.text);
  assert.deepEqual([answer.body.person.email, answer.body.role], [email, "viewer"]);
  // Another token of the same person, as proxies send them.
  through.states = [["Cf-Access-Jwt-Assertion", await tokenWith({ jti: "another", email: email.toUpperCase() })]];
  assert.equal(await stays(browser), true);

  const { privateKey } = await generateKeyPair("RS256");
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { ...right, iss: issuer, exp: now() + 60 };
  for (const token of [
    await tokenWith({ aud: "another service" }),
    await tokenWith({ iss: "https://evil.example" }),
    await tokenWith({ exp: now() - 600 }),
    await tokenWith({ exp: undefined }),
    await tokenWith({ nbf: now() + 600 }),
    await tokenWith({ sub: undefined }),
    await tokenWith({ sub: "a service", email: undefined }),
    await tokenWith({ sub: "unverified", email: someone(), email_verified: false }),
    await tokenWith({ sub: "elsewhere", email: "ada@elsewhere.example" }),
    await tokenWith({ sub: "another subject with the same address" }),
    await new SignJWT(claims).setProtectedHeader({ alg: "RS256" }).sign(privateKey),
    await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from("an-audience".repeat(4))),
    `${part({ alg: "none" })}.${part(claims)}.`,
    email,
    "rubbish",
  ]) {
    const tried = await attempt(token);
    refused(tried.answer, "sign_in_refused");
    assert.equal(tried.browser.cookie, "", token);
  }
  const good = await tokenWith();
  refused((await attempt(good, [["Cf-Access-Jwt-Assertion", good]])).answer, "sign_in_refused");
  const headerOnly = await send(signing.address, "POST", "/v1/login/proxy", {
    headers: { "x-querent-login": "1", "sec-fetch-site": "same-origin" },
    ...{ body: {}, from: "127.0.0.77", more: [["Cf-Access-Jwt-Assertion", good]] },
  });
  assert.match(refused(headerOnly, "sign_in_refused").detail ?? "", /did not come by way of/);
  assert.ok(!JSON.stringify(signing.events).includes(good.slice(-40)), "the log has no token");

  // While the keys can't be read, nobody signs in, and no login ends. The keys were read before: another service reads them now.
  const late: TestService = await startTestService({
    environment: {
      ...provider.environment([]),
      QUERENT_SIGN_IN_PROVIDERS: fileWith(`
  addresses: [127.0.0.0/28]
  token: { header: Cf-Access-Jwt-Assertion, issuer: "${issuer}", audience: an-audience, keys: "${issuer}/jwks" }
`),
    },
  });
  behind.states = [["Cf-Access-Jwt-Assertion", good]];
  provider.intercept = (_request, response) => {
    response.writeHead(503).end();
    return true;
  };
  refused(await openBrowser(behind.asService).call("POST", "/v1/login/proxy", { body: {} }), "unavailable");
});

test("settings that would believe anybody, or that cannot be meant, are refused with what to do", () => {
  const faultsOf = (text: string) => {
    const config = readConfig({ QUERENT_SIGN_IN_PROVIDERS: fileWith(text) });
    try {
      readSignInProviders(config, {});
      return "";
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  const headers = "\n  headers: { email: X-Email }\n";
  assert.equal(faultsOf(`\n  addresses: ["10.0.0.1", "fd00::/8", "::1"]${headers}`), "");
  for (const [text, said] of [
    [`\n  addresses: [0.0.0.0/0]${headers}`, /every address/],
    [`\n  addresses: ["::/0"]${headers}`, /every address/],
    [`\n  addresses: []${headers}`, /addresses/],
    [`\n  addresses: [proxy.example]${headers}`, /not an address range/],
    [`\n  addresses: ["10.0.0.1,10.0.0.2"]${headers}`, /more than one/],
    ["\n  addresses: [10.0.0.1]\n", /`headers` or `token`/],
    [`\n  addresses: [10.0.0.1]\n  headers: { email: X_Email }\n`, /email/],
    [`\n  addresses: [10.0.0.1]\n  headers: { email: Cookie }\n`, /browsers send/],
    [`\n  addresses: [10.0.0.1]\n  headers: { email: X-A, groups: x-a }\n`, /twice/],
    [`\n  addresses: [10.0.0.1]\n  signOutAddress: "//evil.example"${headers}`, /signOutAddress/],
    [`\n  addresses: [10.0.0.1]\n  signOutAddress: "javascript:alert(1)"${headers}`, /signOutAddress/],
    [
      `\n  addresses: [10.0.0.1]\n  token: { header: X-T, issuer: x, audience: y, keys: "http://keys.example" }\n`,
      /keys/,
    ],
    [`\n  addresses: [10.0.0.1]\n  members: [{ account: a, role: client }]${headers}`, /Name them/],
  ] as const)
    assert.match(faultsOf(text), said, text);
  const path = fileWith(`\n  addresses: [10.0.0.1]${headers}providers:
  proxy: { name: P, issuer: "https://id.example", clientId: c, clientSecretVariable: null, domains: ["*"] }
`);
  assert.throws(() => readSignInProviders(readConfig({ QUERENT_SIGN_IN_PROVIDERS: path }), {}), /that of `proxy`/);
});
