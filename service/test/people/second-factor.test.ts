import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import type { LoginState, MemberList, NewSecondFactor, RecoveryCodes } from "@querent/contract";
import { Secret, TOTP } from "otpauth";
import { invite, makePasswordLink, sealedFactors } from "../../src/people/index.ts";
import { codeOf } from "../../src/people/second-factor.ts";
import { encryptAgain, MasterKey } from "../../src/vault/index.ts";
import { refused, startTestService } from "../harness/service.ts";
import { goodPassword, joinAs, openBrowser, type TestPerson } from "./browser.ts";

const service = await startTestService();
const { database } = service;
const { accountId } = await service.account();
const key = Buffer.from(service.commandEnvironment["QUERENT_MASTER_KEY"] ?? "", "base64");

/** A person with a second factor, and an authenticator app that is not Querent's. */
async function guarded(): Promise<{ person: TestPerson; app: TOTP; recoveryCodes: readonly string[] }> {
  const person = await joinAs(service, accountId, "editor");
  const { app } = await begun(person);
  const answer = await person.call<RecoveryCodes>("PUT", "/v1/login/second-factor", { body: { code: app.generate() } });
  assert.equal(answer.status, 200, answer.text);
  await forget(person);
  return { person, app, recoveryCodes: answer.body.recoveryCodes };
}

async function begun(person: TestPerson) {
  const answer = await person.call<NewSecondFactor>("POST", "/v1/login/second-factor", {
    body: { password: person.password },
  });
  assert.equal(answer.status, 201, answer.text);
  const app = new TOTP({ secret: Secret.fromBase32(answer.body.secret) });
  return { app, made: answer.body };
}

/** Time passes: the codes of this step were not yet used. */
const forget = ({ state }: TestPerson) =>
  database.query("update person_factors set last_step = null where person_id = $1", [state.person.personId]);

const signIn = ({ email, password }: TestPerson, code?: string) =>
  openBrowser(service).call<LoginState>("POST", "/v1/login", {
    body: { email, password, ...(code === undefined ? {} : { code }) },
  });

test("codes are those of RFC 6238 and of an independent app", () => {
  const secret = Buffer.from("12345678901234567890");
  for (const [seconds, code] of [
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ] as const)
    assert.equal(codeOf(secret, Math.floor(seconds / 30)), code);
  for (let n = 0; n < 200; n++) {
    const bytes = randomBytes(20);
    const app = new TOTP({ secret: new Secret({ buffer: new Uint8Array(bytes).buffer }) });
    assert.equal(codeOf(bytes, n * 7919), app.generate({ timestamp: n * 7919 * 30_000 }));
  }
});

test("it counts once a code was entered, ends other logins, and from then on the password alone signs nobody in", async () => {
  const person = await joinAs(service, accountId, "editor");
  refused(
    await person.call("POST", "/v1/login/second-factor", { body: { password: "not the password" } }),
    "sign_in_refused",
  );
  const { app, made } = await begun(person);
  assert.match(made.address, /^otpauth:\/\/totp\/Querent%3A[^?]+\?secret=[A-Z2-7]{32}&issuer=Querent$/);
  const elsewhere = openBrowser(service);
  const { email, password } = person;
  assert.equal((await elsewhere.call("POST", "/v1/login", { body: { email, password } })).status, 201);
  const wrong = String((Number(app.generate()) + 1) % 1_000_000).padStart(6, "0");
  refused(await person.call("PUT", "/v1/login/second-factor", { body: { code: wrong } }), "sign_in_refused");
  // As many apps show it.
  const spaced = () => app.generate().replace(/^.{3}/, "$& ");
  const on = await person.call<RecoveryCodes>("PUT", "/v1/login/second-factor", { body: { code: spaced() } });
  assert.equal(new Set(on.body.recoveryCodes).size, 10);
  for (const code of on.body.recoveryCodes) assert.match(code, /^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  refused(await elsewhere.call("GET", "/v1/login"), "unauthorized");
  const { body } = await person.call<LoginState>("GET", "/v1/login");
  assert.deepEqual([body.secondFactor, body.recoveryCodes], [true, 10]);
  refused(await person.call("POST", "/v1/login/second-factor", { body: { password } }), "state_conflict");

  refused(await signIn(person), "second_factor_required");
  // Whoever does not know the password learns nothing of the second factor.
  const stranger = openBrowser(service);
  refused(await stranger.call("POST", "/v1/login", { body: { email, password: "wrong" } }), "sign_in_refused");
  refused(await signIn(person, wrong), "sign_in_refused");
  const { rows } = await database.query<{ text: string }>(
    "select t::text as text from person_factors t union all select t::text from recovery_codes t",
  );
  const stored = JSON.stringify(rows);
  for (const secret of [made.secret, ...on.body.recoveryCodes]) assert.ok(!stored.includes(secret));
});

test("a code signs in once: not again, not an earlier one, and of many at once one", async () => {
  const { person, app } = await guarded();
  const now = Date.now();
  const code = app.generate({ timestamp: now });
  const first = await signIn(person, code);
  assert.deepEqual([first.status, first.body.way], [201, "password"], first.text);
  refused(await signIn(person, code), "sign_in_refused");
  refused(await signIn(person, app.generate({ timestamp: now - 30_000 })), "sign_in_refused");
  const { rows } = await database.query<{ after: string }>("select after from audit_entries where request_id = $1", [
    first.headers["x-request-id"],
  ]);
  assert.deepEqual(JSON.parse(rows[0]?.after ?? ""), { way: "password", secondFactor: "totp" });
  await forget(person);
  const many = await Promise.all(Array.from({ length: 5 }, () => signIn(person, app.generate())));
  assert.equal(many.filter(({ status }) => status === 201).length, 1);
  // A code of another time is none.
  await forget(person);
  for (const minutes of [-5, 5])
    refused(await signIn(person, app.generate({ timestamp: Date.now() + minutes * 60_000 })), "sign_in_refused");
});

test("a recovery code signs in once, however it is written, and the person sees how many are left", async () => {
  const { person, recoveryCodes } = await guarded();
  const [one = "", two = ""] = recoveryCodes;
  const answer = await signIn(person, ` ${one.toLowerCase().replaceAll("-", " ")}`);
  assert.deepEqual([answer.status, answer.body.recoveryCodes], [201, 9], answer.text);
  refused(await signIn(person, one), "sign_in_refused");
  const other = await guarded();
  refused(await signIn(other.person, two), "sign_in_refused");
  const many = await Promise.all(Array.from({ length: 4 }, () => signIn(person, two)));
  assert.equal(many.filter(({ status }) => status === 201).length, 1);
});

test("guessing codes is limited with the password known, also if requests without a code come between", async () => {
  const { person } = await guarded();
  const statuses: number[] = [];
  for (let n = 0; n < 8; n++) {
    statuses.push((await signIn(person, String(n).padStart(6, "0"))).status);
    statuses.push((await signIn(person)).status);
  }
  assert.deepEqual(statuses.slice(10), Array<number>(6).fill(429));
});

test("a link for a new password asks for the code, too, and so does an invitation of a person who is known", async () => {
  const { person, app, recoveryCodes } = await guarded();
  const token = await database.transaction((tx) => makePasswordLink(tx, person.state.person.personId, 1));
  const password = goodPassword();
  const use = (body: object) =>
    openBrowser(service).call<LoginState>("POST", "/v1/links/acceptance", { body: { token, password, ...body } });
  refused(await use({}), "second_factor_required");
  refused(await use({ code: "000000" }), "sign_in_refused");
  assert.equal((await use({ code: app.generate().replace(/^.{3}/, "$& ") })).status, 201);
  const second = await service.account();
  const link = await database.transaction((tx) =>
    invite(tx, { accountId: second.accountId, email: null, role: "viewer", days: 1 }),
  );
  const join = (body: object) =>
    openBrowser(service).call("POST", "/v1/links/acceptance", {
      body: { token: link.token, email: person.email, password, ...body },
    });
  refused(await join({}), "second_factor_required");
  assert.equal((await join({ code: recoveryCodes[3] })).status, 201);
});

test("the person removes it with password and code; an owner for a member of no other account, which ends the logins", async () => {
  const { person, app } = await guarded();
  const remove = (body: object) => person.call("POST", "/v1/login/second-factor/removal", { body });
  refused(await remove({ password: person.password, code: "000000" }), "sign_in_refused");
  refused(await remove({ password: "wrong", code: app.generate() }), "sign_in_refused");
  assert.equal((await remove({ password: person.password, code: app.generate() })).status, 204);
  assert.equal((await signIn(person)).status, 201);

  const lost = await guarded();
  const owner = await joinAs(service, accountId, "owner");
  const admin = await joinAs(service, accountId, "admin");
  const path = `/v1/members/${lost.person.state.memberId}/second-factor`;
  refused(await admin.call("DELETE", path), "scope_missing");
  const { body } = await owner.call<MemberList>("GET", "/v1/members");
  assert.equal(body.members.find(({ email }) => email === lost.person.email)?.secondFactor, true);
  const second = await service.account();
  await database.query(
    "insert into members (id, account_id, person_id, role) values (gen_random_uuid(), $1, $2, 'viewer')",
    [second.accountId, lost.person.state.person.personId],
  );
  refused(await owner.call("DELETE", path), "state_conflict");
  const stranger = await joinAs(service, second.accountId, "owner");
  refused(await stranger.call("DELETE", path), "not_found");
  await database.query("delete from members where account_id = $1 and person_id = $2", [
    second.accountId,
    lost.person.state.person.personId,
  ]);
  assert.equal((await owner.call("DELETE", path)).status, 204);
  refused(await lost.person.call("GET", "/v1/login"), "unauthorized");
  assert.equal((await signIn(lost.person)).status, 201);
});

test("secrets are encrypted again with a new master key", async () => {
  const { person } = await guarded();
  const both = new MasterKey(randomBytes(32), key);
  const { changed, unreadable } = await encryptAgain(database, both, sealedFactors);
  assert.ok(changed > 0);
  assert.equal(unreadable, 0);
  // The service has the former key alone, so it can no longer read them.
  assert.equal((await encryptAgain(database, new MasterKey(key), sealedFactors)).changed, 0);
  await database.query("delete from person_factors where person_id = $1", [person.state.person.personId]);
});
