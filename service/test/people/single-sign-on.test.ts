/** Signing in at an identity provider: who gets in, as what, what is refused, and how it ends. The provider is a certified one. */
import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { LoginState, MemberList, ProviderAddress, ProviderSignOut, SignInWays } from "@querent/contract";
import { SignJWT, type JWTPayload } from "jose";
import { newId } from "../../src/kernel/ids.ts";
import { readConfig } from "../../src/app/config.ts";
import { readSignInProviders } from "../../src/app/sign-in-providers.ts";
import { invite, redirectAddress, unlink } from "../../src/people/index.ts";
import { refused, startTestService, type TestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { goodPassword, joinAs, openBrowser, type TestBrowser } from "./browser.ts";
import { startProvider, type ProviderBrowser, type ProviderPerson } from "./identity-provider.ts";

const publicUrl = "https://querent.example";
const host = { host: "querent.example" };
let service: TestService;
const provider = await startProvider({ publicUrl, providerId: "company", serviceAddress: () => service.address });
test.after(() => provider.close());
const folder = mkdtempSync(join(tmpdir(), "querent-providers-"));
test.after(() => rmSync(folder, { recursive: true }));
const account = `ruled ${newId()}`;
const { entry } = provider;
const members = [
  `{ account: "${account}", group: staff, role: viewer }`,
  `{ account: "${account}", group: admins, role: admin }`,
  `{ account: "${account} 2", group: other, role: editor }`,
];
service = await startTestService({ environment: provider.environment(members) });
const { database } = service;
const ruled = await service.account();
const second = await service.account();
await database.query("update accounts set name = $2 where id = $1", [ruled.accountId, account]);
await database.query("update accounts set name = $2 where id = $1", [second.accountId, `${account} 2`]);

const open = () => openBrowser(service);

/** A person whom the provider knows. */
function someone(person: ProviderPerson = {}): { subject: string; email: string } {
  const subject = newId();
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  provider.persons.set(subject, { email, email_verified: true, name: "Ada Lovelace", ...person });
  return { subject, email };
}

async function begin(browser: TestBrowser, body: { link?: string } = {}): Promise<string> {
  const answer = await browser.call<ProviderAddress>("POST", "/v1/login/providers/company/attempts", {
    body,
    headers: host,
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.address;
}

const complete = (browser: TestBrowser, response: string) =>
  browser.call<LoginState>("POST", "/v1/login/providers/company", { body: { response }, headers: host });

async function signIn(
  subject: string,
  {
    link,
    browser = open(),
    at = provider.browser(),
  }: { link?: string; browser?: TestBrowser; at?: ProviderBrowser } = {},
) {
  const back = await at.signIn(await begin(browser, link === undefined ? {} : { link }), subject);
  assert.equal(back.origin + back.pathname, `${publicUrl}/console/sign-in/company`);
  return { browser, answer: await complete(browser, back.search.slice(1)), response: back.search.slice(1) };
}

const stays = async (browser: TestBrowser) =>
  (await browser.call("GET", "/v1/login", { headers: host })).status === 200;

const linkFor = async (email: string | null, accountId = ruled.accountId) =>
  (
    await database.transaction((tx) =>
      invite(tx, {
        accountId,
        email: email === null ? null : { text: email, key: email },
        role: "editor",
        days: 1,
      }),
    )
  ).token;

test("the page for signing in offers the configured providers, and nothing of their settings", async () => {
  const answer = await service.call<SignInWays>("GET", "/v1/sign-in");
  assert.deepEqual(answer.body.providers, [{ providerId: "company", name: "Company" }]);
  assert.ok(!answer.text.includes(provider.clientSecret) && !answer.text.includes(provider.issuer));
});

test("a person becomes a member by a group, with the role of the group that allows most, and the log says how", async () => {
  const { subject, email } = someone({ groups: ["staff", "admins", "unknown"] });
  const { browser, answer } = await signIn(subject);
  assert.equal(answer.status, 201, answer.text);
  const { role, accountId, person, way, providerId, hasPassword } = answer.body;
  assert.deepEqual(
    [role, accountId, person.email, person.name, way, providerId, hasPassword],
    ["admin", ruled.accountId, email, "Ada Lovelace", "provider", "company", false],
  );
  assert.match(browser.cookie, /^__Host-querent-login=[A-Za-z0-9_-]{43}$/, "the cookie of the attempt is gone");
  const { rows } = await database.query<{ operation: string; actor_name: string; after: string }>(
    "select operation, actor_name, after from audit_entries where request_id = $1 order by id",
    [answer.headers["x-request-id"]],
  );
  assert.deepEqual(
    new Map(rows.map((row) => [row.actor_name, [row.operation, JSON.parse(row.after) as object]])),
    new Map([
      ["Company", ["signInWithProvider", { role: "admin", provider: "company" }]],
      [email, ["signInWithProvider", { way: "provider", provider: "company" }]],
    ]),
  );
});

test("changed groups change the role at the next sign-in, and the last one that goes ends the membership and its logins", async () => {
  const { subject, email } = someone({ groups: ["admins"] });
  const first = await signIn(subject);
  assert.equal(first.answer.body.role, "admin");
  provider.persons.set(subject, { email, email_verified: true, groups: "staff" });
  const next = await signIn(subject);
  assert.equal(next.answer.body.role, "viewer");
  assert.equal(await stays(first.browser), false, "a login with more than the role allows has ended");
  provider.persons.set(subject, { email, email_verified: true, groups: ["other"] });
  const moved = await signIn(subject);
  assert.deepEqual([moved.answer.body.accountId, moved.answer.body.memberships.length], [second.accountId, 1]);
  provider.persons.set(subject, { email, email_verified: true, groups: [] });
  const gone = await signIn(subject);
  refused(gone.answer, "sign_in_refused");
  assert.equal(await stays(moved.browser), false);
  const { rowCount } = await database.query("select from persons where email = $1", [email]);
  assert.equal(rowCount, 0, "who is a member of nothing is nobody here");
});

test("who was invited keeps the role, whatever the groups say, and the last owner of an account stays one", async () => {
  const { subject, email } = someone({ groups: [] });
  const joined = await signIn(subject, { link: await linkFor(email) });
  assert.deepEqual([joined.answer.status, joined.answer.body.role], [201, "editor"], joined.answer.text);
  provider.persons.set(subject, { email, email_verified: true, groups: ["staff"] });
  assert.equal((await signIn(subject)).answer.body.role, "editor");
  const { answer } = await signIn(someone({ groups: ["other"] }).subject);
  await database.query("update members set role = 'owner' where id = $1", [answer.body.memberId]);
  const owner = await database.query<{ subject: string }>("select subject from logins where id = $1", [
    answer.body.loginId,
  ]);
  const ownerSubject = owner.rows[0]?.subject ?? "";
  provider.persons.set(ownerSubject, { email: answer.body.person.email, email_verified: true, groups: [] });
  assert.equal((await signIn(ownerSubject)).answer.body.role, "owner");
});

test("without a group or an invitation nobody gets in, and an invitation is for its address alone, once", async () => {
  const nobody = someone();
  const alone = await signIn(nobody.subject);
  assert.match(refused(alone.answer, "sign_in_refused").detail ?? "", /member of no account/);
  const link = await linkFor(someone().email);
  refused((await signIn(nobody.subject, { link })).answer, "sign_in_refused");
  const invited = someone();
  const token = await linkFor(invited.email);
  assert.equal((await signIn(invited.subject, { link: token })).answer.status, 201);
  const again = open();
  refused(
    await again.call("POST", "/v1/login/providers/company/attempts", { body: { link: token }, headers: host }),
    "not_found",
  );
  assert.equal((await signIn(invited.subject)).answer.status, 201, "later without the invitation");
  const first = someone();
  const joined = await signIn(first.subject, { link: await linkFor(null) });
  assert.equal(joined.answer.body.person.email, first.email, "an invitation for whoever opens it");
});

test("a person with a password is known by the address that the provider has verified; an address that changes hands is not", async () => {
  const person = await joinAs(service, ruled.accountId, "editor");
  const subject = newId();
  provider.persons.set(subject, { email: person.email, email_verified: true });
  const { answer } = await signIn(subject);
  assert.deepEqual(
    [answer.body.person.personId, answer.body.hasPassword],
    [person.state.person.personId, true],
    answer.text,
  );
  const heir = newId();
  provider.persons.set(heir, { email: person.email, email_verified: true, groups: ["admins"] });
  assert.match(refused((await signIn(heir)).answer, "sign_in_refused").detail ?? "", /person unlink/);
  assert.equal(await database.transaction((tx) => unlink(tx, person.state.person.personId)), 1);
  assert.equal((await signIn(heir)).answer.body.person.personId, person.state.person.personId);
  for (const claims of [
    { email: person.email, email_verified: false },
    { email: person.email },
    { email: "ada@elsewhere.example", email_verified: true },
    { email: "ada@example.com.elsewhere.example", email_verified: true },
    { email: "ada@elsewhere.example@evil.example", email_verified: true },
    { groups: ["admins"] },
    { email: "no address", email_verified: true },
  ]) {
    const other = newId();
    provider.persons.set(other, { groups: ["admins"], ...claims });
    refused((await signIn(other)).answer, "sign_in_refused");
  }
});

test("whether an address is verified is said of that address, by the token or by the provider's further claims, and not mixed", async () => {
  const { subject, email } = someone({ groups: ["staff"] });
  const other = `${newId()}@example.com`;
  try {
    for (const [claims, expected] of [
      [{ email: other, email_verified: true }, other],
      [{ email: other, email_verified: false }, null],
      // The token does not say whether it is verified: the further claims count, with their own address.
      [{ email: other }, email],
      [{ email_verified: true }, email],
    ] as const) {
      await database.query("delete from person_identities where subject = $1", [subject]);
      provider.falsify = (given) => ({ ...given, ...claims });
      const { answer } = await signIn(subject);
      if (expected === null) refused(answer, "sign_in_refused");
      else assert.equal(answer.body.person.email, expected, answer.text);
    }
  } finally {
    provider.falsify = null;
  }
});

test("an answer that another browser, another sign-in or nobody began is refused, and each is heard once", async () => {
  const { subject } = someone({ groups: ["staff"] });
  const mine = await signIn(subject);
  assert.equal(mine.answer.status, 201);
  // The same answer again, in the same browser.
  refused(await complete(mine.browser, mine.response), "sign_in_refused");
  // Login CSRF: the attacker's answer in the victim's browser.
  const attacker = open();
  const stolen = (await provider.browser().signIn(await begin(attacker), subject)).search.slice(1);
  refused(await complete(open(), stolen), "sign_in_refused");
  const victim = open();
  await begin(victim);
  refused(await complete(victim, stolen), "sign_in_refused");
  refused(await complete(victim, stolen), "sign_in_refused");
  assert.equal((await complete(attacker, stolen)).status, 201, "the browser that began it");
  // Twice at the same moment: one is heard.
  const twice = open();
  const { search } = await provider.browser().signIn(await begin(twice), subject);
  const cookie = twice.cookie;
  const answers = await Promise.all([1, 2, 3].map(() => complete(openBrowser(service, cookie), search.slice(1))));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  assert.equal(answers.filter(({ status }) => status === 403).length, 2);
  await until("the refusals to be in the log of the installation", async () => {
    const { rows } = await database.query<{ after: string }>(
      "select after from audit_entries where kind = 'refusal' and operation = 'signInWithProvider' order by id limit 1",
    );
    return rows[0]?.after.includes('"provider":"company"') === true;
  });
  // A planted cookie is no attempt.
  refused(await complete(openBrowser(service, `__Host-querent-sign-in=${"A".repeat(43)}`), search), "sign_in_refused");
});

test("a changed answer of the provider is refused: state, code, an error, another issuer, and rubbish", async () => {
  const { subject } = someone({ groups: ["staff"] });
  const from = provider.requests.length;
  for (const change of [
    (query: URLSearchParams) => query.delete("state"),
    (query: URLSearchParams) => query.set("state", "A".repeat(43)),
    (query: URLSearchParams) => query.append("state", "x"),
    (query: URLSearchParams) => query.delete("code"),
    (query: URLSearchParams) => query.set("code", "guessed"),
    (query: URLSearchParams) => query.set("iss", "https://evil.example"),
    (query: URLSearchParams) => query.set("error", "access_denied"),
    (query: URLSearchParams) => {
      for (const name of [...query.keys()]) query.delete(name);
      query.set("x", "%00\u0000<script>");
    },
  ]) {
    const browser = open();
    const { searchParams } = await provider.browser().signIn(await begin(browser), subject);
    change(searchParams);
    refused(await complete(browser, searchParams.toString() || "x"), "sign_in_refused");
    assert.ok(!browser.cookie.includes("querent-login"));
  }
  assert.ok(provider.requests.slice(from).length > 0);
});

test("an ID token of another issuer, for another client, without the nonce, expired, or signed otherwise is refused; a clock that is a little off is not", async () => {
  const { subject } = someone({ groups: ["staff"] });
  const now = () => Math.floor(Date.now() / 1000);
  const off = (seconds: number) => ({ iat: now() + seconds, exp: now() + seconds + 3600 });
  const accepted = [{}, off(45), { iat: now() - 3600, exp: now() - 30 }];
  const wrong = [
    { iss: "https://evil.example" },
    { iss: `${provider.issuer}/` },
    { aud: "another client" },
    { aud: [provider.clientId, "another client"], azp: "another client" },
    { nonce: "of another sign-in" },
    { nonce: undefined },
    { exp: now() - 600, iat: now() - 3600 },
    { nbf: now() + 600 },
    { exp: undefined },
    { sub: undefined },
  ];
  try {
    for (const claims of accepted) {
      provider.falsify = (given) => ({ ...given, ...claims });
      const { answer } = await signIn(subject);
      assert.equal(answer.status, 201, `${JSON.stringify(claims)} ${answer.text}`);
    }
    for (const claims of wrong) {
      provider.falsify = (given) => JSON.parse(JSON.stringify({ ...given, ...claims })) as JWTPayload;
      refused((await signIn(subject)).answer, "sign_in_refused");
    }
    provider.falsify = (given) => given;
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    for (const sign of [
      // Another key under the provider's key id.
      (claims: object, kid: string) =>
        new SignJWT({ ...claims }).setProtectedHeader({ alg: "RS256", kid }).sign(privateKey),
      // No signature.
      async (claims: object) => `${part({ alg: "none" })}.${part(claims)}.`,
      // The client's secret as the key.
      async (claims: object, kid: string) => {
        const signed = `${part({ alg: "HS256", kid })}.${part(claims)}`;
        return `${signed}.${createHmac("sha256", provider.clientSecret).update(signed).digest("base64url")}`;
      },
      async () => "rubbish",
    ]) {
      provider.sign = sign;
      refused((await signIn(subject)).answer, "sign_in_refused");
    }
  } finally {
    Object.assign(provider, { falsify: null, sign: null });
  }
});

test("a code that has expired is refused", async () => {
  const { subject } = someone({ groups: ["staff"] });
  const browser = open();
  const { search } = await provider.browser().signIn(await begin(browser), subject);
  await database.query("update provider_attempts set expires_at = now() - interval '1 second'");
  refused(await complete(browser, search.slice(1)), "sign_in_refused");
  // What the provider says of one that it no longer knows.
  const other = open();
  const back = await provider.browser().signIn(await begin(other), subject);
  const redeemed = new URLSearchParams(back.search);
  redeemed.set("code", `${redeemed.get("code")?.slice(0, -4)}AAAA`);
  assert.match(refused(await complete(other, redeemed.toString()), "sign_in_refused").detail ?? "", /invalid_grant/);
});

test("new keys of the provider are used at once, and the former ones no longer", async () => {
  const { subject } = someone({ groups: ["staff"] });
  assert.equal((await signIn(subject)).answer.status, 201);
  await provider.rotate();
  assert.equal((await signIn(subject)).answer.status, 201);
  await provider.rotate();
  assert.equal((await signIn(subject)).answer.status, 201);
});

test("while the provider is away nobody signs in there, and who is signed in stays so; with it, signing in goes on", async () => {
  const { subject } = someone({ groups: ["staff"] });
  const { browser } = await signIn(subject);
  const waiting = open();
  const { search } = await provider.browser().signIn(await begin(waiting), subject);
  try {
    for (const answer of [
      (_request: unknown, response: { destroy(): void }) => response.destroy(),
      (_request: unknown, response: { writeHead(status: number): { end(text: string): void } }) =>
        response.writeHead(503).end("down"),
      // More than a provider has to say.
      (_request: unknown, response: { writeHead(status: number): { end(text: string): void } }) =>
        response.writeHead(200).end("x".repeat(1024 * 1024)),
      // Elsewhere: redirects are not followed.
      (_request: unknown, response: { writeHead(status: number, headers: object): { end(): void } }) =>
        response.writeHead(302, { location: service.address }).end(),
    ]) {
      provider.intercept = (request, response) => {
        answer(request, response as never);
        return true;
      };
      const other = open();
      await begin(other);
      const failed = await complete(other, search.slice(1).replace(/state=[^&]*/, `state=${stateOf(other)}`));
      assert.match(refused(failed, "unavailable").detail ?? "", /Company does not answer.*stays so/s);
      assert.equal(await stays(browser), true);
    }
  } finally {
    provider.intercept = () => false;
  }
  assert.equal((await complete(waiting, search.slice(1))).status, 201);
});

/** The state of the sign-in that a browser has begun, as only its holder can derive it. */
function stateOf(browser: TestBrowser): string {
  const secret = /querent-sign-in=([^;]+)/.exec(browser.cookie)?.[1] ?? "";
  return createHmac("sha256", secret).update("state").digest("base64url");
}

test("signing out ends the login, and says where to end the session at the provider, which comes back to the console alone", async () => {
  const { subject } = someone({ groups: ["staff"] });
  const at = provider.browser();
  const { browser } = await signIn(subject, { at });
  const elsewhere = await signIn(subject, { at });
  const answer = await browser.call<ProviderSignOut>("POST", "/v1/login/sign-out", {
    headers: { ...host, "x-forwarded-host": "evil.example" },
  });
  assert.equal(answer.status, 200, answer.text);
  const address = new URL(answer.body.address ?? "");
  assert.equal(address.origin, provider.issuer);
  assert.equal(address.searchParams.get("post_logout_redirect_uri"), `${publicUrl}/console`);
  assert.equal(await stays(browser), false);
  assert.equal(await stays(elsewhere.browser), true);
  // The provider ends its session, and tells the service by the back channel.
  await at.signOut(address.href);
  await until("the other login to end", async () => !(await stays(elsewhere.browser)));
  const byPassword = await joinAs(service, ruled.accountId, "viewer");
  const { email, password } = byPassword;
  const plain = open();
  await plain.call("POST", "/v1/login", { body: { email, password }, headers: host });
  const nowhere = await plain.call<ProviderSignOut>("POST", "/v1/login/sign-out", { headers: host });
  assert.equal(nowhere.body.address, null);
});

test("a logout token ends the logins that it names, once, and one that is not the provider's ends none", async () => {
  const post = (token: string | undefined, type = "application/x-www-form-urlencoded") =>
    service.call("POST", "/v1/login/providers/company/logout", {
      body: type.includes("json")
        ? { logout_token: token }
        : new URLSearchParams(token === undefined ? { other: "x" } : { logout_token: token }).toString(),
      headers: { "content-type": type },
    });
  const { subject } = someone({ groups: ["staff"] });
  const [one, two] = [await signIn(subject), await signIn(subject)];
  const stranger = await signIn(someone({ groups: ["staff"] }).subject);
  const { rows } = await database.query<{ provider_session: string }>(
    "select provider_session from logins where id = $1",
    [one.answer.body.loginId],
  );
  const sid = rows[0]?.provider_session;
  assert.ok(sid);
  const now = Math.floor(Date.now() / 1000);
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  for (const token of [
    await provider.logoutToken({ sub: subject, aud: "another client" }),
    await provider.logoutToken({ sub: subject, iss: "https://evil.example" }),
    await provider.logoutToken({ sub: subject, iat: now - 3600, exp: now - 3000 }),
    await provider.logoutToken({ sub: subject, nonce: "x" }),
    await provider.logoutToken({ sub: subject, events: {} }),
    await provider.logoutToken({ sub: subject, events: undefined }),
    await provider.logoutToken({}),
    await new SignJWT({ sub: subject, iss: provider.issuer, aud: provider.clientId, jti: "x", iat: now, exp: now + 60 })
      .setProtectedHeader({ alg: "RS256" })
      .sign(privateKey),
    "rubbish",
    "x".repeat(16_000),
  ])
    refused(await post(token), "malformed_request");
  refused(await post(undefined), "validation_failed");
  refused(await post(await provider.logoutToken({ sub: subject }), "application/json"), "unsupported_media_type");
  for (const { browser } of [one, two, stranger]) assert.equal(await stays(browser), true);

  const ofSession = await provider.logoutToken({ sub: subject, sid });
  assert.equal((await post(ofSession)).status, 204);
  assert.deepEqual([await stays(one.browser), await stays(two.browser)], [false, true]);
  const ofPerson = await provider.logoutToken({ sub: subject });
  const answer = await post(ofPerson);
  assert.equal(answer.status, 204);
  assert.deepEqual([await stays(two.browser), await stays(stranger.browser)], [false, true]);
  const { rows: entries } = await database.query<{ target_id: string; account_id: string }>(
    "select target_id, account_id from audit_entries where request_id = $1",
    [answer.headers["x-request-id"]],
  );
  assert.deepEqual(entries, [{ target_id: two.answer.body.loginId, account_id: ruled.accountId }]);
  // Who signs in again afterwards is not signed out by the same token.
  const again = await signIn(subject);
  assert.equal((await post(ofPerson)).status, 204);
  assert.equal(await stays(again.browser), true);
});

test("a session that the provider ends while somebody signs in with it signs nobody in", async () => {
  const { subject } = someone({ groups: ["staff"] });
  const at = provider.browser();
  const first = await signIn(subject, { at });
  const { rows } = await database.query<{ sid: string }>("select provider_session as sid from logins where id = $1", [
    first.answer.body.loginId,
  ]);
  const late = open();
  const back = await at.signIn(await begin(late), subject);
  const body = new URLSearchParams({ logout_token: await provider.logoutToken({ sub: subject, sid: rows[0]?.sid }) });
  const ended = await service.call("POST", "/v1/login/providers/company/logout", {
    body: body.toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  assert.equal(ended.status, 204);
  refused(await complete(late, back.search.slice(1)), "sign_in_refused");
  assert.equal(await stays(late), false);
  const { rowCount } = await database.query("select from logins where subject = $1", [subject]);
  assert.equal(rowCount, 0);
  assert.equal((await signIn(subject)).answer.status, 201, "in a new session of the provider");
});

test("where the browser is sent does not depend on what the browser says: no host, no parameter, no path leads elsewhere", async () => {
  const browser = open();
  for (const headers of [
    { host: "evil.example" },
    { host: "querent.example.evil.example" },
    { host: "querent.example:8443" },
    { host: "localhost" },
  ])
    refused(
      await browser.call("POST", "/v1/login/providers/company/attempts", { body: {}, headers }),
      "state_conflict",
    );
  for (const body of [{ redirect_uri: "https://evil.example" }, { next: "//evil.example" }, { link: "../../evil" }])
    refused(
      await browser.call("POST", "/v1/login/providers/company/attempts", { body, headers: host }),
      "validation_failed",
    );
  refused(
    await browser.call("POST", "/v1/login/providers/company/attempts?next=https://evil.example", {
      body: {},
      headers: host,
    }),
    "validation_failed",
  );
  for (const id of ["nobody", "..%2f..", "COMPANY%00", "a".repeat(200)])
    refused(await browser.call("POST", `/v1/login/providers/${id}/attempts`, { body: {}, headers: host }), "not_found");
  const address = new URL(await begin(browser));
  assert.deepEqual(
    [address.origin, address.searchParams.get("redirect_uri"), address.searchParams.get("code_challenge_method")],
    [provider.issuer, `${publicUrl}/console/sign-in/company`, "S256"],
  );
  const page = await service.call("GET", "/console/sign-in/company?code=x&state=y&next=https://evil.example");
  assert.equal(page.status, 200, "the page is the console, which redirects nowhere");
});

test("neither the log nor the database has a state, a nonce, a code, a token or the client's secret", async () => {
  const { subject } = someone({ groups: ["staff"] });
  const browser = open();
  const address = new URL(await begin(browser));
  const secret = /querent-sign-in=([^;]+)/.exec(browser.cookie)?.[1] ?? "";
  const back = await provider.browser().signIn(address.href, subject);
  const { rows: attempts } = await database.query<{ row: string }>("select t::text as row from provider_attempts t");
  assert.equal((await complete(browser, back.search.slice(1))).status, 201);
  const { rows } = await database.query<{ row: string }>(
    "select t::text as row from logins t union all select t::text from audit_entries t",
  );
  const everything = JSON.stringify([attempts, rows, service.events]);
  for (const text of [
    secret,
    ...["state", "nonce", "code_challenge"].map((name) => address.searchParams.get(name) ?? ""),
    back.searchParams.get("code") ?? "",
    provider.clientSecret,
  ]) {
    assert.ok(text.length > 20);
    assert.ok(!everything.includes(text));
  }
});

test("the settings are checked with the provider: its issuer, its keys, and whether it knows the client", async () => {
  const examined = async (text: string, environment: Readonly<Record<string, string>> = {}) => {
    const path = join(folder, `${newId()}.yaml`);
    writeFileSync(path, `providers:\n  company:${text}\n`);
    const config = readConfig({
      QUERENT_SIGN_IN_PROVIDERS: path,
      QUERENT_SIGN_IN_EGRESS_ALLOW: "127.0.0.0/8",
      QUERENT_EGRESS_CA: provider.caFile,
      ...environment,
    });
    const {
      providers: [read],
    } = readSignInProviders(config, { COMPANY_SECRET: provider.clientSecret, WRONG_SECRET: "wrong" });
    return (await read?.examine(redirectAddress(publicUrl, "company")))?.join("\n");
  };
  assert.equal(await examined(entry), "");
  assert.match((await examined(entry.replace("COMPANY_SECRET", "WRONG_SECRET"))) ?? "", /does not accept `clientId`/);
  assert.match((await examined(entry.replace("localhost", "127.0.0.1"))) ?? "", /Compare `issuer`/);
  const closed = { QUERENT_SIGN_IN_EGRESS_ALLOW: "10.0.0.0/8" };
  assert.match(
    (await examined(entry, closed)) ?? "",
    /not one of a public host/,
    "addresses of this machine are not asked",
  );
  for (const [text, said] of [
    [entry.replace("COMPANY_SECRET", "NO_SECRET"), /the variable NO_SECRET, with the client's secret, is not set/],
    [entry.replace("https:", "http:"), /issuer/],
    [entry.replace("domains", "domain"), /domain/],
    [`${entry}\n    members: [{ account: default, role: emperor }]`, /role/],
    [entry.replace("COMPANY_SECRET", "QUERENT_SECRET"), /clientSecretVariable/],
  ] as const)
    await assert.rejects(examined(text), said);
});

test("an owner sees whose groups decide a role, and a removed member comes back by the group alone", async () => {
  const { subject } = someone({ groups: ["staff"] });
  const { answer } = await signIn(subject);
  const owner = await joinAs(service, ruled.accountId, "owner");
  const login = open();
  await login.call("POST", "/v1/login", { body: { email: owner.email, password: owner.password }, headers: host });
  const { body } = await login.call<MemberList>("GET", "/v1/members", { headers: host });
  const found = new Map(body.members.map((member) => [member.memberId, member.provider]));
  assert.deepEqual([found.get(answer.body.memberId), found.get(owner.state.memberId)], ["company", null]);
  await login.call("DELETE", `/v1/members/${answer.body.memberId}`, { headers: host });
  const back = await signIn(subject);
  assert.notEqual(back.answer.body.memberId, answer.body.memberId);
});

test("a password that nobody has is not guessed for a person of the provider", async () => {
  const { subject, email } = someone({ groups: ["staff"] });
  const { browser } = await signIn(subject);
  refused(
    await open().call("POST", "/v1/login", { body: { email, password: goodPassword() }, headers: host }),
    "sign_in_refused",
  );
  const body = { currentPassword: "nothing", newPassword: goodPassword() };
  refused(await browser.call("PUT", "/v1/login/password", { body, headers: host }), "state_conflict");
});
