import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { test } from "node:test";
import {
  api,
  type LoginState,
  type NewSecondFactor,
  type PasskeyOptions,
  type PasskeyRecord,
  type SecondFactorRule,
} from "@querent/contract";
import { Secret, TOTP } from "otpauth";
import { newId } from "../../src/kernel/ids.ts";
import { addConnection } from "../../src/people/connection.ts";
import { refused, startTestService } from "../harness/service.ts";
import { answerWith, makePasskey, type Passkey } from "./authenticator.ts";
import { joinAs, openBrowser, type TestBrowser, type TestPerson } from "./browser.ts";

const service = await startTestService();
const { database } = service;
const headers = { host: `localhost:${new URL(service.address).port}` };
const origin = `http://${headers.host}`;

async function add(person: TestBrowser): Promise<Passkey> {
  const begun = await person.call<PasskeyOptions>("POST", "/v1/login/passkeys/attempts", { body: {}, headers });
  assert.equal(begun.status, 201, begun.text);
  const { passkey, sent } = makePasskey(begun.body.options, origin);
  const answer = await person.call<PasskeyRecord>("POST", "/v1/login/passkeys", { body: sent, headers });
  assert.equal(answer.status, 201, answer.text);
  return passkey;
}

async function signInWith(passkey: Passkey): Promise<TestBrowser> {
  const browser = openBrowser(service);
  const asked = await browser.call<PasskeyOptions>("POST", "/v1/login/passkey/attempts", { body: {}, headers });
  const body = answerWith(passkey, asked.body.options, origin);
  assert.equal((await browser.call("POST", "/v1/login/passkey", { body, headers })).status, 201);
  return browser;
}

async function byPassword({ email, password }: TestPerson, code?: string) {
  const browser = openBrowser(service);
  const body = { email, password, ...(code === undefined ? {} : { code }) };
  const answer = await browser.call<LoginState>("POST", "/v1/login", { body });
  assert.equal(answer.status, 201, answer.text);
  return Object.assign(browser, { state: answer.body });
}

/** An account whose owner has a passkey and requires a second factor of the members. */
async function strict() {
  const account = await service.account();
  const owner = await joinAs(service, account.accountId, "owner");
  const passkey = await add(owner);
  const rule = await owner.call<SecondFactorRule>("PUT", "/v1/account/second-factor", { body: { required: true } });
  assert.deepEqual([rule.status, rule.body.required], [200, true], rule.text);
  return { account, owner, passkey };
}

const needs = async (browser: TestBrowser) => {
  const { body } = await browser.call<LoginState>("GET", "/v1/login");
  return body.needsSecondFactor;
};

test("an owner with a second factor requires one of the members; nobody else does, and no owner without", async () => {
  const { accountId } = await service.account();
  const owner = await joinAs(service, accountId, "owner");
  const admin = await joinAs(service, accountId, "admin");
  const path = "/v1/account/second-factor";
  const required = { body: { required: true } };
  assert.deepEqual((await admin.call<SecondFactorRule>("GET", path)).body, { required: false, since: null });
  refused(await admin.call("PUT", path, required), "scope_missing");
  refused(await owner.call("PUT", path, required), "state_conflict");
  assert.deepEqual((await owner.call<SecondFactorRule>("GET", path)).body, { required: false, since: null });
  await add(owner);
  const { body } = await owner.call<SecondFactorRule>("PUT", path, required);
  assert.ok(body.required && body.since !== null);
  assert.deepEqual((await owner.call<SecondFactorRule>("PUT", path, required)).body, body, "since the first time");
  const off = await owner.call<SecondFactorRule>("PUT", path, { body: { required: false } });
  assert.deepEqual(off.body, { required: false, since: null });
  const { rows } = await database.query<{ before: string; after: string }>(
    "select before, after from audit_entries where operation = 'setSecondFactorRule' and account_id = $1 order by id",
    [accountId],
  );
  assert.deepEqual(
    rows.map(({ before, after }) => [JSON.parse(before) as unknown, JSON.parse(after) as unknown]),
    [
      [{ secondFactorRequired: false }, { secondFactorRequired: true }],
      [{ secondFactorRequired: true }, { secondFactorRequired: true }],
      [{ secondFactorRequired: true }, { secondFactorRequired: false }],
    ],
  );
});

test("a member without a second factor is refused every operation but what it takes to set one up or to leave", async () => {
  const { account } = await strict();
  const person = await joinAs(service, account.accountId, "owner", { operator: true });
  assert.deepEqual([person.state.needsSecondFactor, person.state.scopes], [true, []]);
  const allowed = new Set<string>();
  for (const operation of api.operations) {
    if (operation.scope === null && operation.login !== "required") continue;
    const { method } = operation;
    const path = operation.path.replace(/\{\w+\}/g, newId());
    if (operation.withoutFactor === true) {
      allowed.add(operation.id);
      continue;
    }
    const answer = await person.call(method, path, {
      ...(method === "GET" ? {} : { body: [null] }),
      headers: { "idempotency-key": newId() },
    });
    refused(answer, "second_factor_missing");
  }
  assert.deepEqual(
    [...allowed].toSorted(),
    ["addPasskey", "beginPasskey", "beginSecondFactor", "confirmSecondFactor", "getLogin", "listPasskeys"].concat([
      "setLoginAccount",
      "signOut",
      "signOutAtProvider",
    ]),
  );
  // Programs are not affected.
  assert.equal((await account.get("/v1/usage")).status, 200);
});

test("a passkey or a code that is set up ends the wait, in this browser alone; the password alone is not enough again", async () => {
  const { account } = await strict();
  const person = await joinAs(service, account.accountId, "editor");
  refused(await person.call("GET", "/v1/tasks"), "second_factor_missing");
  const elsewhere = await byPassword(person);
  const passkey = await add(person);
  assert.equal((await person.call("GET", "/v1/tasks")).status, 200);
  assert.equal(await needs(person), false);
  refused(await elsewhere.call("GET", "/v1/tasks"), "second_factor_missing");
  assert.equal(await needs(await signInWith(passkey)), false);

  const other = await joinAs(service, account.accountId, "editor");
  const begun = await other.call<NewSecondFactor>("POST", "/v1/login/second-factor", {
    body: { password: other.password },
  });
  refused(await other.call("GET", "/v1/tasks"), "second_factor_missing");
  const app = new TOTP({ secret: Secret.fromBase32(begun.body.secret) });
  await other.call("PUT", "/v1/login/second-factor", { body: { code: app.generate() } });
  assert.equal((await other.call("GET", "/v1/tasks")).status, 200);
  await database.query("update person_factors set last_step = null");
  assert.equal(await needs(await byPassword(other, app.generate())), false);
});

test("whoever knows the password of a person with a passkey adds no other way, in this account nor by way of another", async () => {
  const { account } = await strict();
  const lenient = await service.account();
  const person = await joinAs(service, account.accountId, "editor");
  const passkey = await add(person);
  await database.query(
    "insert into members (id, account_id, person_id, role) values (gen_random_uuid(), $1, $2, 'viewer')",
    [lenient.accountId, person.state.person.personId],
  );
  const thief = await byPassword(person);
  for (const accountId of [account.accountId, lenient.accountId]) {
    await thief.call("PUT", "/v1/login/account", { body: { accountId } });
    for (const [path, body] of [
      ["/v1/login/passkeys/attempts", {}],
      ["/v1/login/passkeys/attempts", { password: person.password }],
      ["/v1/login/second-factor", { password: person.password }],
    ] as const)
      refused(await thief.call("POST", path, { body, headers }), "second_factor_missing");
  }
  // In the other account, which asks for none, the login works.
  assert.equal((await thief.call("GET", "/v1/tasks")).status, 200);
  const { rows } = await database.query<{ id: string }>("select id from passkeys where person_id = $1", [
    person.state.person.personId,
  ]);
  const removal = `/v1/login/passkeys/${rows[0]?.id}/removal`;
  refused(await thief.call("POST", removal, { body: { password: person.password } }), "second_factor_missing");
  const own = await signInWith(passkey);
  await own.call("PUT", "/v1/login/account", { body: { accountId: account.accountId } });
  assert.equal((await own.call("GET", "/v1/tasks")).status, 200);
});

test("logins of an identity provider have shown what the provider asks for", async () => {
  const { account } = await strict();
  const person = await joinAs(service, account.accountId, "editor");
  assert.equal(await needs(person), true);
  await database.query("update logins set way = 'provider' where id = $1", [person.state.loginId]);
  assert.equal(await needs(person), false);
  // A login of an earlier version does not say how it began.
  await database.query("update logins set way = null where id = $1", [person.state.loginId]);
  assert.equal(await needs(person), true);
});

test("the rule takes effect at once in logins that are under way, open streams included, and is over as fast", async () => {
  const account = await service.account();
  const owner = await joinAs(service, account.accountId, "owner");
  await add(owner);
  const member = await joinAs(service, account.accountId, "admin");
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const { promise: opened, resolve: open, reject } = Promise.withResolvers<void>();
  const request = httpRequest(`${service.address}/v1/events`, {
    headers: {
      cookie: member.cookie,
      "x-querent-login": "1",
      "sec-fetch-site": "same-origin",
      accept: "text/event-stream",
    },
  });
  request.on("response", (response) => {
    if (response.statusCode === 200) open();
    else reject(new Error(String(response.statusCode)));
    response.resume().once("close", close);
  });
  request.on("error", reject).end();
  await opened;
  await owner.call("PUT", "/v1/account/second-factor", { body: { required: true } });
  refused(await member.call("GET", "/v1/tasks"), "second_factor_missing");
  await closed;
  await owner.call("PUT", "/v1/account/second-factor", { body: { required: false } });
  assert.equal((await member.call("GET", "/v1/tasks")).status, 200);
});

test("a passkey that is removed in the browser in which it was added counts no more", async () => {
  const { account } = await strict();
  const person = await joinAs(service, account.accountId, "editor");
  await add(person);
  assert.equal(await needs(person), false);
  const { rows } = await database.query<{ id: string }>("select id from passkeys where person_id = $1", [
    person.state.person.personId,
  ]);
  assert.equal((await person.call("POST", `/v1/login/passkeys/${rows[0]?.id}/removal`, { body: {} })).status, 204);
  assert.equal(await needs(person), true);
  refused(await person.call("GET", "/v1/tasks"), "second_factor_missing");
});

test("assistants that were connected before have to be connected again; those of other accounts stay", async () => {
  const { owner, account } = await strict();
  const other = await service.account();
  const path = "/v1/account/second-factor";
  const member = await joinAs(service, other.accountId, "editor");
  for (const [accountId, { personId }] of [
    [account.accountId, await personOf(owner)],
    [other.accountId, await personOf(member)],
  ] as const)
    await database.transaction((tx) =>
      addConnection(tx, {
        id: newId(),
        accountId,
        personId,
        clientId: "https://client.example/metadata.json",
        clientName: "Client",
        isRegistered: false,
        redirectUri: "http://localhost/",
        resource: `${origin}/mcp`,
        scopes: ["tasks:read"],
      }),
    );
  const count = async ({ accountId }: { accountId: string }) => {
    const text = "select count(*)::int as count from connections where account_id = $1";
    return (await database.query<{ count: number }>(text, [accountId])).rows[0]?.count;
  };
  // It is required already.
  assert.equal((await owner.call("PUT", path, { body: { required: true } })).status, 200);
  assert.deepEqual([await count(account), await count(other)], [1, 1]);
  for (const required of [false, true])
    assert.equal((await owner.call("PUT", path, { body: { required } })).status, 200);
  assert.deepEqual([await count(account), await count(other)], [0, 1]);
});

async function personOf(browser: TestBrowser): Promise<{ personId: string }> {
  return (await browser.call<LoginState>("GET", "/v1/login")).body.person;
}
