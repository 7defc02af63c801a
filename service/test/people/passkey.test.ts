import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { test } from "node:test";
import type {
  LoginState,
  MemberList,
  MemberRole,
  OneTimeLinkState,
  PasskeyList,
  PasskeyOptions,
  PasskeyRecord,
  PasskeyReset,
  RecoveryCodes,
  NewSecondFactor,
  SignInWays,
} from "@querent/contract";
import { Secret, TOTP } from "otpauth";
import { invite, makePasswordLink } from "../../src/people/index.ts";
import { passkeyPlaces } from "../../src/people/passkey.ts";
import { newId } from "../../src/kernel/ids.ts";
import { invalidAt, refused, startTestService, type TestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { answerWith, cbor, makePasskey, type Passkey, type Tampering } from "./authenticator.ts";
import { goodPassword, joinAs, openBrowser, type TestBrowser, type TestPerson } from "./browser.ts";

const service = await startTestService();
const { database } = service;
const { accountId } = await service.account();
const { port } = new URL(service.address);
const host = `localhost:${port}`;
const origin = `http://${host}`;
const there = { headers: { host } };

const open = (on: TestService = service): TestBrowser => {
  const browser = openBrowser(on);
  const { call } = browser;
  browser.call = (method, path, options) => call(method, path, { ...options, headers: { host, ...options?.headers } });
  return browser;
};

/** A person who joined with a password, in a browser at localhost. */
async function joined(role: MemberRole = "editor"): Promise<TestPerson> {
  const person = await joinAs(service, accountId, role);
  const { call } = person;
  person.call = (method, path, options) => call(method, path, { ...options, headers: { host, ...options?.headers } });
  return person;
}

const begin = async (person: TestBrowser, body: object = {}) => {
  const answer = await person.call<PasskeyOptions>("POST", "/v1/login/passkeys/attempts", { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.options;
};

async function add(person: TestBrowser, tampering: Tampering = {}): Promise<Passkey & { passkeyId: string }> {
  const { passkey, sent } = makePasskey(await begin(person), origin, tampering);
  const answer = await person.call<PasskeyRecord>("POST", "/v1/login/passkeys", { body: sent });
  assert.equal(answer.status, 201, answer.text);
  return Object.assign(passkey, { passkeyId: answer.body.passkeyId });
}

const ask = async (browser: TestBrowser, body: object = {}) => {
  const answer = await browser.call<PasskeyOptions>("POST", "/v1/login/passkey/attempts", { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.options;
};

async function signIn(passkey: Passkey, tampering: Tampering = {}, browser = open(), link?: string) {
  const asked = await ask(browser, link === undefined ? {} : { link });
  return browser.call<LoginState>("POST", "/v1/login/passkey", { body: answerWith(passkey, asked, origin, tampering) });
}

const age = ({ state }: TestPerson) =>
  database.query("update logins set created_at = now() - interval '11 minutes' where person_id = $1", [
    state.person.personId,
  ]);

const linkOf = async (role: MemberRole = "viewer", to = accountId) =>
  (await database.transaction((tx) => invite(tx, { accountId: to, email: null, role, days: 1 }))).token;

/** A person who joined with a passkey and has no password. */
async function joinedByPasskey(role: MemberRole = "viewer") {
  const browser = open();
  const token = await linkOf(role);
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  const asked = await browser.call<PasskeyOptions>("POST", "/v1/links/passkey", {
    body: { token, email, name: "Ada" },
  });
  assert.equal(asked.status, 201, asked.text);
  const { passkey, sent } = makePasskey(asked.body.options, origin);
  const answer = await browser.call<LoginState>("POST", "/v1/links/acceptance", {
    body: { token, email, name: "Ada", passkey: sent },
  });
  assert.equal(answer.status, 201, answer.text);
  return { browser, email, passkey, state: answer.body };
}

test("passkeys work at the host of the public address, or at localhost, and nowhere else", () => {
  const at = (url: string | null, asked: string) => {
    const { here, address } = passkeyPlaces(url, asked);
    return [here?.rpId ?? null, here?.origins[0] ?? null, address];
  };
  const nowhere = [null, null, null];
  const https = "https://querent.example";
  assert.deepEqual(at(https, "querent.example"), ["querent.example", https, null]);
  assert.deepEqual(at(https, "QUERENT.example"), ["querent.example", https, null]);
  for (const other of ["other.example", "localhost:8080", "querent.example.evil.example", "querent.example:8443", ""])
    assert.deepEqual(at(https, other), [null, null, `${https}/console`]);
  for (const url of ["http://querent.example", "https://192.0.2.7", "https://[2001:db8::1]", "http://127.0.0.1:8080"])
    assert.deepEqual(at(url, new URL(url).host), nowhere);
  assert.deepEqual(at("http://localhost:8080", "localhost:8080"), ["localhost", "http://localhost:8080", null]);
  assert.deepEqual(at(null, "localhost:9000"), ["localhost", "http://localhost:9000", null]);
  for (const own of ["127.0.0.1:9000", "[::1]:9000"])
    assert.deepEqual(at(null, own), [null, null, "http://localhost:9000/console"]);
  for (const other of ["192.0.2.7:8080", "querent.example", "localhost.evil.example", "a b", "", "@", "localhost@evil"])
    assert.deepEqual(at(null, other), nowhere, other);
});

test("where passkeys don't work, they are not offered, and the address where they do is said", async () => {
  const ways = async (headers: Readonly<Record<string, string>>) => {
    const { body } = await service.call<SignInWays>("GET", "/v1/sign-in", { headers });
    return [body.passkeys, body.passkeyAddress];
  };
  assert.deepEqual(await ways({ host }), [true, null]);
  assert.deepEqual(await ways({ host: `127.0.0.1:${port}` }), [false, `${origin}/console`]);
  assert.deepEqual(await ways({ host: "192.0.2.7" }), [false, null]);
  const person = await joinAs(service, accountId, "viewer");
  for (const [path, body] of [
    ["/v1/login/passkey/attempts", {}],
    ["/v1/login/passkeys/attempts", {}],
    ["/v1/links/passkey", { token: await linkOf(), email: "a@b", name: "A" }],
  ] as const) {
    const { detail } = refused(await person.call("POST", path, { body }), "state_conflict");
    assert.ok(detail.includes(`${origin}/console`), detail);
  }
});

test("a person adds passkeys, names and removes them, and signs in with each, without an address and without a code", async () => {
  const person = await joined();
  const asked = (await begin(person)) as Record<string, Record<string, unknown>>;
  assert.deepEqual(
    [asked["authenticatorSelection"]?.["residentKey"], asked["authenticatorSelection"]?.["userVerification"]],
    ["required", "required"],
  );
  const first = await add(person);
  const second = await add(person, { counter: 1 });
  const excluded = (await begin(person)) as { excludeCredentials?: { id: string }[] };
  assert.deepEqual(
    new Set(excluded.excludeCredentials?.map(({ id }) => id)),
    new Set([first.credentialId, second.credentialId]),
  );
  const renamed = await person.call<PasskeyRecord>("PUT", `/v1/login/passkeys/${first.passkeyId}`, {
    body: { name: "Laptop" },
  });
  assert.equal(renamed.body.name, "Laptop");
  for (const passkey of [first, second, second]) {
    const answer = await signIn(passkey);
    assert.deepEqual(
      [answer.status, answer.body.person.email, answer.body.way, answer.body.passkeys],
      [201, person.email, "passkey", 2],
      answer.text,
    );
  }
  const { body } = await person.call<PasskeyList>("GET", "/v1/login/passkeys");
  assert.deepEqual(
    body.passkeys.map(({ name, host: of, lastUsedAt }) => [name, of, lastUsedAt !== null]),
    [
      ["Laptop", "localhost", true],
      ["Test", "localhost", true],
    ],
  );
  const other = await joined();
  const path = `/v1/login/passkeys/${first.passkeyId}`;
  refused(await other.call("PUT", path, { body: { name: "Mine" } }), "not_found");
  refused(await other.call("POST", `${path}/removal`, { body: {} }), "not_found");
  assert.equal((await person.call("POST", `${path}/removal`, { body: {} })).status, 204);
  refused(await signIn(first), "passkey_refused");
  const { rows } = await database.query<{ operation: string }>(
    "select operation from audit_entries where target_type = 'passkey' and target_id = $1 order by id",
    [first.passkeyId],
  );
  assert.deepEqual(
    rows.map(({ operation }) => operation),
    ["addPasskey", "renamePasskey", "removePasskey"],
  );
});

test("a person with a second factor is asked for no code: the passkey has verified the person", async () => {
  const person = await joined();
  const passkey = await add(person);
  const { body } = await person.call<NewSecondFactor>("POST", "/v1/login/second-factor", {
    body: { password: person.password },
  });
  const app = new TOTP({ secret: Secret.fromBase32(body.secret) });
  const on = await person.call<RecoveryCodes>("PUT", "/v1/login/second-factor", { body: { code: app.generate() } });
  assert.equal(on.status, 200, on.text);
  const answer = await signIn(passkey);
  assert.deepEqual([answer.status, answer.body.secondFactor], [201, true], answer.text);
  // The password alone adds no passkey, which would sign in without the code.
  await age(person);
  const withPassword = { body: { password: person.password } };
  refused(await person.call("POST", "/v1/login/passkeys/attempts", withPassword), "second_factor_required");
  const code = on.body.recoveryCodes[0];
  const confirmed = await person.call("POST", "/v1/login/passkeys/attempts", {
    body: { password: person.password, code },
  });
  assert.equal(confirmed.status, 201, confirmed.text);
});

test("ways to sign in are changed with the password, or within ten minutes after signing in", async () => {
  const person = await joined();
  const passkey = await add(person);
  await add(person);
  await age(person);
  const removal = `/v1/login/passkeys/${passkey.passkeyId}/removal`;
  for (const path of ["/v1/login/passkeys/attempts", removal]) {
    refused(await person.call("POST", path, { body: {} }), "fresh_sign_in_required");
    refused(await person.call("POST", path, { body: { password: "wrong" } }), "sign_in_refused");
  }
  assert.equal((await person.call("POST", removal, { body: { password: person.password } })).status, 204);
});

test("a new passkey is refused if it was made for another challenge, person, origin or host, without the person, or with a statement", async () => {
  const person = await joined();
  const other = await joined();
  const foreign = makePasskey(await begin(other), origin);
  const refusedWith = async (tampering: Tampering, change: (sent: object) => object = (sent) => sent) => {
    const { sent } = makePasskey(await begin(person), origin, tampering);
    return refused(await person.call("POST", "/v1/login/passkeys", { body: change(sent) }), "passkey_refused").detail;
  };
  const details = [
    await refusedWith({ challenge: "AAAA" }),
    await refusedWith({}, () => foreign.sent),
    await refusedWith({ origin: "https://evil.example" }),
    await refusedWith({ origin: `http://localhost:${Number(port) + 1}` }),
    await refusedWith({ rpId: "evil.example" }),
    await refusedWith({ userVerified: false }),
    await refusedWith({ userPresent: false }),
    await refusedWith({ type: "webauthn.get" }),
    await refusedWith({
      statement: { fmt: "packed", attStmt: { alg: -7, sig: Buffer.from("x"), x5c: [Buffer.from("x")] } },
    }),
    await refusedWith({ statement: { fmt: "android-key", attStmt: {} } }),
    await refusedWith({ statement: { fmt: "packed", attStmt: { alg: -7, sig: Buffer.alloc(70) } } }),
    await refusedWith({}, (sent) => ({ ...sent, credentialId: "AAAA" })),
  ];
  assert.match(details[5] ?? "", /not verified you/);
  // An answer is heard once, and only in the browser of the person who began it.
  const { sent } = makePasskey(await begin(person), origin);
  assert.equal((await person.call("POST", "/v1/login/passkeys", { body: sent })).status, 201);
  refused(await person.call("POST", "/v1/login/passkeys", { body: sent }), "passkey_refused");
  const again = makePasskey(await begin(person), origin);
  const attempt = /querent-sign-in=[^;]+/.exec(person.cookie)?.[0] ?? "";
  const stolen = await other.call("POST", "/v1/login/passkeys", {
    body: again.sent,
    headers: { cookie: `${/querent-login=[^;]+/.exec(other.cookie)?.[0]}; ${attempt}` },
  });
  refused(stolen, "passkey_refused");
  // Late: the attempt has expired.
  const late = makePasskey(await begin(person), origin);
  await database.query("update passkey_attempts set expires_at = now()");
  refused(await person.call("POST", "/v1/login/passkeys", { body: late.sent }), "passkey_refused");
  const { body } = await person.call<PasskeyList>("GET", "/v1/login/passkeys");
  assert.equal(body.passkeys.length, 1);
});

test("one credential belongs to one person", async () => {
  const [one, two] = [await joined(), await joined()];
  const { sent } = makePasskey(await begin(one), origin);
  assert.equal((await one.call("POST", "/v1/login/passkeys", { body: sent })).status, 201);
  const asked = await begin(two);
  const { sent: copy } = makePasskey(asked, origin);
  await database.query("update passkeys set credential_id = $1 where credential_id = $2", [
    Buffer.from(copy.credentialId, "base64url"),
    Buffer.from(sent.credentialId, "base64url"),
  ]);
  refused(await two.call("POST", "/v1/login/passkeys", { body: copy }), "state_conflict");
});

test("a sign-in is refused in the same words, whatever of the answer is wrong", async () => {
  const person = await joined();
  const other = await joined();
  const passkey = await add(person);
  const stranger = await add(other);
  const removed = await joined();
  const gone = await add(removed);
  await database.query("delete from members where id = $1", [removed.state.memberId]);
  const forged = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const unknown: Passkey = { ...passkey, credentialId: randomBytes(32).toString("base64url") };
  const replayed = open();
  const asked = await ask(replayed);
  const answer = answerWith(passkey, asked, origin);
  assert.equal((await replayed.call("POST", "/v1/login/passkey", { body: answer })).status, 201);
  const otherBrowser = open();
  const elsewhere = answerWith(passkey, await ask(otherBrowser), origin);
  await ask(otherBrowser);
  // A passkey for each, whose tries are counted.
  const own = () => add(person);
  const answers = {
    "replayed answer": await replayed.call("POST", "/v1/login/passkey", { body: answer }),
    "replayed answer in another browser": await signInWith(answer),
    "answer to an earlier request": await otherBrowser.call("POST", "/v1/login/passkey", { body: elsewhere }),
    "nothing begun": await open().call("POST", "/v1/login/passkey", { body: answerWith(await own(), asked, origin) }),
    "another challenge": await signIn(await own(), { challenge: randomBytes(32).toString("base64url") }),
    "another origin": await signIn(await own(), { origin: "https://evil.example" }),
    "another port": await signIn(await own(), { origin: "http://localhost:1" }),
    "another host": await signIn(await own(), { rpId: "evil.example" }),
    "person not verified": await signIn(await own(), { userVerified: false }),
    "person not present": await signIn(await own(), { userPresent: false }),
    "another type": await signIn(await own(), { type: "webauthn.create" }),
    "forged signature": await signIn(await own(), { signWith: forged }),
    "key of another person": await signIn(await own(), { signWith: stranger.privateKey }),
    "handle of another person": await signIn(await own(), { userHandle: stranger.userHandle }),
    "no handle": await signIn(await own(), { userHandle: null }),
    "unknown passkey": await signIn(unknown),
    "member of no account": await signIn(gone),
  };
  async function signInWith(body: object) {
    const browser = open();
    await ask(browser);
    return browser.call("POST", "/v1/login/passkey", { body });
  }
  const said = new Set(
    Object.values(answers).map((each) => {
      const { requestId: _, ...problem } = refused(each, "passkey_refused");
      return JSON.stringify([each.status, problem, each.headers["set-cookie"] ?? null]);
    }),
  );
  assert.equal(said.size, 1, [...said].join("\n"));
  // The log has why, and nothing that was sent.
  await until("the entries", async () => {
    const { rows } = await database.query<{ after: string }>(
      "select after from audit_entries where kind = 'refusal' and operation = 'signInWithPasskey'",
    );
    return rows.some(({ after }) => after.includes("no attempt")) && rows.every(({ after }) => !after.includes("evil"));
  });
});

test("a passkey is tried ten times in a quarter of an hour, whether it is known or not; a right answer does not count", async () => {
  const person = await joined();
  const passkey = await add(person);
  for (let n = 0; n < 12; n++) assert.equal((await signIn(passkey)).status, 201);
  for (const credentialId of [passkey.credentialId, randomBytes(32).toString("base64url")]) {
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++)
      statuses.push((await signIn({ ...passkey, credentialId }, { origin: "https://evil.example" })).status);
    assert.deepEqual(statuses, [...Array<number>(10).fill(403), 429, 429]);
  }
});

test("a counter that goes back is refused and told; of two answers with the same count, one signs in", async () => {
  const person = await joined();
  const passkey = await add(person, { counter: 5 });
  assert.equal((await signIn(passkey)).status, 201);
  for (const counter of [6, 5, 0]) {
    const { detail } = refused(await signIn(passkey, { counter }), "passkey_refused");
    assert.match(detail, /may be a copy/);
  }
  const both = await Promise.all([signIn(passkey, { counter: 20 }), signIn(passkey, { counter: 20 })]);
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 403],
  );
  await until("the entry", async () => {
    const { rowCount } = await database.query(
      "select from audit_entries where kind = 'refusal' and after::text like '%counter went back%' and target_id = $1",
      [person.state.person.personId],
    );
    return rowCount !== 0;
  });
});

test("removing a passkey ends the logins that began with it, and no others", async () => {
  const { email, password } = await joined();
  const person = open();
  await person.call("POST", "/v1/login", { body: { email, password } });
  const [lost, kept] = [await add(person), await add(person)];
  const [thief, own] = [open(), open()];
  await signIn(lost, {}, thief);
  await signIn(kept, {}, own);
  const removal = `/v1/login/passkeys/${lost.passkeyId}/removal`;
  assert.equal((await own.call("POST", removal, { body: {} })).status, 204);
  refused(await thief.call("GET", "/v1/login"), "unauthorized");
  for (const browser of [own, person]) assert.equal((await browser.call("GET", "/v1/login")).status, 200);
});

test("a person joins with a passkey instead of a password, and keeps one way to sign in", async () => {
  const { browser, email, passkey, state } = await joinedByPasskey("owner");
  assert.deepEqual([state.person.email, state.role, state.hasPassword, state.passkeys], [email, "owner", false, 1]);
  assert.equal((await signIn(passkey)).status, 201);
  const password = goodPassword();
  refused(await openBrowser(service).call("POST", "/v1/login", { body: { email, password } }), "sign_in_refused");
  const { body } = await browser.call<PasskeyList>("GET", "/v1/login/passkeys");
  const removal = `/v1/login/passkeys/${body.passkeys[0]?.passkeyId}/removal`;
  const { detail } = refused(await browser.call("POST", removal, { body: {} }), "state_conflict");
  assert.match(detail, /last way to sign in/);
  assert.equal((await signIn(passkey)).status, 201);
  // Two at the same moment: one stays.
  const second = await add(browser);
  const both = await Promise.all(
    [removal, `/v1/login/passkeys/${second.passkeyId}/removal`].map((path) => browser.call("POST", path, { body: {} })),
  );
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((a, b) => a - b),
    [204, 409],
  );
  // With a password, the last passkey goes.
  refused(
    await browser.call("PUT", "/v1/login/password", { body: { currentPassword: "x", newPassword: "short" } }),
    "validation_failed",
  );
  assert.equal((await browser.call("PUT", "/v1/login/password", { body: { newPassword: password } })).status, 204);
  const { body: left } = await browser.call<PasskeyList>("GET", "/v1/login/passkeys");
  const last = `/v1/login/passkeys/${left.passkeys[0]?.passkeyId}/removal`;
  assert.equal((await browser.call("POST", last, { body: { password } })).status, 204);
});

test("who has no password changes nothing with an old login, and whoever has one sends it", async () => {
  const { browser, state } = await joinedByPasskey();
  await database.query("update logins set created_at = now() - interval '11 minutes' where id = $1", [state.loginId]);
  const body = { newPassword: goodPassword() };
  refused(await browser.call("PUT", "/v1/login/password", { body }), "fresh_sign_in_required");
  const person = await joined();
  refused(await person.call("PUT", "/v1/login/password", { body }), "sign_in_refused");
});

test("a passkey of a link is accepted with that link alone, once, and with a password or a passkey", async () => {
  const [token, other] = [await linkOf(), await linkOf("owner")];
  const browser = open();
  const email = `${newId()}@example.com`;
  const accept = (body: object) =>
    browser.call("POST", "/v1/links/acceptance", { body: { email, name: "Ada", ...body } });
  const asked = async () =>
    makePasskey(
      (await browser.call<PasskeyOptions>("POST", "/v1/links/passkey", { body: { token, email, name: "Ada" } })).body
        .options,
      origin,
    ).sent;
  refused(await accept({ token: other, passkey: await asked() }), "passkey_refused");
  const sent = await asked();
  invalidAt(await accept({ token, passkey: sent, password: goodPassword() }), { "/password": "not_allowed" });
  invalidAt(await accept({ token }), { "/password": "required" });
  assert.equal((await accept({ token, passkey: sent })).status, 201);
  refused(await accept({ token, passkey: sent }), "not_found");
  refused(await browser.call("POST", "/v1/links/passkey", { body: { token, email, name: "Ada" } }), "not_found");
  // An address that is known joins as the person signs in.
  const known = await linkOf();
  const known2 = { token: known, email, name: "Eve" };
  refused(await browser.call("POST", "/v1/links/passkey", { body: known2 }), "state_conflict");
  refused(await accept({ token: known, password: goodPassword() }), "state_conflict");
});

test("a person without a password accepts an invitation to another account by signing in with the passkey", async () => {
  const { email, passkey } = await joinedByPasskey();
  const second = await service.account();
  const link = async (to: string) => {
    const owner = await joinAs(service, second.accountId, "owner");
    const { body } = await owner.call<{ link: string }>("POST", "/v1/invitations", {
      body: { email: to, role: "editor" },
    });
    return body.link.split("#")[1] ?? "";
  };
  const foreign = await link(`${newId()}@example.com`);
  refused(await signIn(passkey, {}, open(), foreign), "state_conflict");
  const token = await link(email);
  const { body: read } = await open().call<OneTimeLinkState>("POST", "/v1/links/reading", { body: { token } });
  assert.deepEqual([read.known, read.passkey], [false, true]);
  const answer = await signIn(passkey, {}, open(), token);
  assert.deepEqual(
    [answer.status, answer.body.accountId, answer.body.role, answer.body.memberships.length],
    [201, second.accountId, "editor", 2],
    answer.text,
  );
  refused(await open().call("POST", "/v1/links/reading", { body: { token } }), "not_found");
});

test("who has lost a device is helped by an owner, with a link if there is no other way; not for operators and members of other accounts", async () => {
  const owner = await joined("owner");
  const lost = await joinedByPasskey();
  const path = (memberId: string) => `/v1/members/${memberId}/passkeys`;
  const admin = await joined("admin");
  refused(await admin.call("DELETE", path(lost.state.memberId)), "scope_missing");
  const stranger = await joinAs(service, (await service.account()).accountId, "owner");
  refused(await stranger.call("DELETE", path(lost.state.memberId)), "not_found");
  const { body: members } = await owner.call<MemberList>("GET", "/v1/members");
  const listed = members.members.find(({ email }) => email === lost.email);
  assert.deepEqual([listed?.passkeys, listed?.hasPassword, listed?.secondFactor], [1, false, false]);
  await database.query("update persons set operator = true where id = $1", [lost.state.person.personId]);
  refused(await owner.call("DELETE", path(lost.state.memberId)), "state_conflict");
  await database.query("update persons set operator = false where id = $1", [lost.state.person.personId]);
  const reset = await owner.call<PasskeyReset>("DELETE", path(lost.state.memberId));
  assert.equal(reset.status, 200, reset.text);
  refused(await lost.browser.call("GET", "/v1/login"), "unauthorized");
  refused(await signIn(lost.passkey), "passkey_refused");
  // The link makes a new passkey.
  const token = reset.body.link?.split("#")[1] ?? "";
  const browser = open();
  const { body: asked } = await browser.call<PasskeyOptions>("POST", "/v1/links/passkey", { body: { token } });
  const { passkey, sent } = makePasskey(asked.options, origin);
  const set = await browser.call<LoginState>("POST", "/v1/links/acceptance", { body: { token, passkey: sent } });
  assert.deepEqual([set.status, set.body.person.email, set.body.way], [201, lost.email, "link"], set.text);
  assert.equal((await signIn(passkey)).status, 201);
  // Whoever has a password needs no link.
  const person = await joined();
  await add(person);
  const without = await owner.call<PasskeyReset>("DELETE", path(person.state.memberId));
  assert.deepEqual(without.body, { link: null });
});

test("a link for a new password asks a person with a second factor for a code before it takes a passkey", async () => {
  const person = await joined();
  const { body } = await person.call<NewSecondFactor>("POST", "/v1/login/second-factor", {
    body: { password: person.password },
  });
  const app = new TOTP({ secret: Secret.fromBase32(body.secret) });
  const on = await person.call<RecoveryCodes>("PUT", "/v1/login/second-factor", { body: { code: app.generate() } });
  const token = await database.transaction((tx) => makePasswordLink(tx, person.state.person.personId, 1));
  const browser = open();
  const { body: asked } = await browser.call<PasskeyOptions>("POST", "/v1/links/passkey", { body: { token } });
  const { sent } = makePasskey(asked.options, origin);
  const accept = (more: object) =>
    browser.call<LoginState>("POST", "/v1/links/acceptance", { body: { token, passkey: sent, ...more } });
  refused(await accept({}), "second_factor_required");
  assert.equal((await accept({ code: on.body.recoveryCodes[0] })).status, 201);
});

test("who signs in at an identity provider alone adds no passkey", async () => {
  const person = await joined();
  await database.query("update persons set password_hash = null where id = $1", [person.state.person.personId]);
  await database.query("insert into person_identities (issuer, subject, person_id) values ('https://id', $2, $1)", [
    person.state.person.personId,
    newId(),
  ]);
  const { detail } = refused(await person.call("POST", "/v1/login/passkeys/attempts", { body: {} }), "state_conflict");
  assert.match(detail, /identity provider/);
  refused(await person.call("PUT", "/v1/login/password", { body: { newPassword: goodPassword() } }), "state_conflict");
});

test("a person has at most twenty passkeys, also if many are added at once", async () => {
  const person = await joined();
  const first = await add(person);
  await database.query(
    `insert into passkeys (id, person_id, credential_id, public_key, counter, rp_id, transports, synced, name)
     select gen_random_uuid(), person_id, decode(md5(n::text || $2), 'hex'), public_key, 0, rp_id, transports, false, name
       from passkeys, generate_series(1, 18) n where id = $1`,
    [first.passkeyId, newId()],
  );
  const begun = await Promise.all(
    [1, 2, 3].map(async () => {
      const browser = open();
      const { email, password } = person;
      await browser.call("POST", "/v1/login", { body: { email, password } });
      return { browser, sent: makePasskey(await begin(browser), origin).sent };
    }),
  );
  const answers = await Promise.all(
    begun.map(({ browser, sent }) => browser.call("POST", "/v1/login/passkeys", { body: sent })),
  );
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 409, 409],
  );
});

test("hostile answers are refused, within bounds of work", async () => {
  const person = await joined();
  const passkey = await add(person);
  const b64 = (bytes: Buffer | string) => Buffer.from(bytes).toString("base64url");
  const deep = Buffer.concat([Buffer.alloc(6000, 0x81), Buffer.from([0])]);
  const { sent } = makePasskey(await begin(person), origin);
  const attestations = [
    b64(deep),
    b64(Buffer.from([0xbf])),
    b64(Buffer.from([0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])),
    b64(Buffer.from([0x5b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])),
    b64(cbor(new Map<string, number>([["fmt", 1]]))),
    b64(
      cbor(
        new Map<string, string | Buffer | Map<string, number>>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", Buffer.alloc(37)],
        ]),
      ),
    ),
    b64(randomBytes(2000)),
    "AAAA",
  ];
  for (const attestation of attestations) {
    await begin(person);
    const from = performance.now();
    refused(await person.call("POST", "/v1/login/passkeys", { body: { ...sent, attestation } }), "passkey_refused");
    assert.ok(performance.now() - from < 20_000);
  }
  const texts = ["null", "[]", "{", "0", '"x"', '{"__proto__":{"type":"webauthn.get"}}', "[".repeat(2900), "\u0000"];
  for (const text of texts) {
    const browser = open();
    const answer = answerWith(passkey, await ask(browser), origin);
    const body = { ...answer, credentialId: randomBytes(16).toString("base64url"), clientData: b64(text) };
    refused(await browser.call("POST", "/v1/login/passkey", { body }), "passkey_refused");
    const known = open();
    const mine = await add(await joined());
    const tampered = { ...answerWith(mine, await ask(known), origin), clientData: b64(text) };
    refused(await known.call("POST", "/v1/login/passkey", { body: tampered }), "passkey_refused");
  }
  const answer = answerWith(passkey, await ask(open()), origin);
  for (const body of [
    { ...answer, signature: "=" },
    { ...answer, signature: "A".repeat(3000) },
    { ...answer, credentialId: "A".repeat(1400) },
    { ...answer, more: 1 },
    { ...answer, clientData: { toString: 1 } },
    [],
    null,
  ])
    refused(await open().call("POST", "/v1/login/passkey", { body }), "validation_failed");
  refused(
    await open().call("POST", "/v1/login/passkey", { body: { ...answer, signature: "A".repeat(20_000) } }),
    "payload_too_large",
  );
  // Short signatures and data of a passkey that is known.
  for (const change of [
    { signature: "AAAA" },
    { authenticatorData: "AAAA" },
    { authenticatorData: b64(Buffer.alloc(1500)) },
  ]) {
    const browser = open();
    const mine = await add(await joined());
    refused(
      await browser.call("POST", "/v1/login/passkey", {
        body: { ...answerWith(mine, await ask(browser), origin), ...change },
      }),
      "passkey_refused",
    );
  }
});

test("nothing stored or logged tells a challenge, and attempts that expired are forgotten", async () => {
  const browser = open();
  const asked = (await ask(browser)) as { challenge: string };
  const { rows } = await database.query<{ row: string }>("select t::text as row from passkey_attempts t");
  const secret = /querent-sign-in=([^;]+)/.exec(browser.cookie)?.[1] ?? "";
  const hex = (text: string) => Buffer.from(text, "base64url").toString("hex");
  for (const { row } of rows) {
    assert.ok(!row.includes(hex(asked.challenge)));
    assert.ok(!row.includes(hex(secret)));
  }
  assert.ok(!JSON.stringify(service.events).includes(asked.challenge));
});

test("by HTTPS, passkeys are those of the public address", async () => {
  const secure = await startTestService({ environment: { QUERENT_PUBLIC_URL: "https://querent.example" } });
  const account = await secure.account();
  const person = await joinAs(secure, account.accountId, "viewer");
  const headers = { host: "querent.example" };
  const login = { email: person.email, password: person.password };
  const browser = openBrowser(secure);
  assert.equal((await browser.call("POST", "/v1/login", { body: login, headers })).status, 201);
  const { body } = await browser.call<PasskeyOptions>("POST", "/v1/login/passkeys/attempts", { body: {}, headers });
  const made = makePasskey(body.options, "https://querent.example");
  assert.equal(made.passkey.rpId, "querent.example");
  assert.equal((await browser.call("POST", "/v1/login/passkeys", { body: made.sent, headers })).status, 201);
  const other = openBrowser(secure);
  const asked = await other.call<PasskeyOptions>("POST", "/v1/login/passkey/attempts", { body: {}, headers });
  assert.match(asked.headers["set-cookie"] ?? "", /^__Host-querent-sign-in=.*HttpOnly; SameSite=Strict; Secure$/);
  const answer = answerWith(made.passkey, asked.body.options, "https://querent.example");
  assert.equal((await other.call("POST", "/v1/login/passkey", { body: answer, headers })).status, 201);
  refused(await other.call("POST", "/v1/login/passkey/attempts", { body: {}, ...there }), "state_conflict");
  await secure.stop();
});
