import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Operation, WebhookRecord } from "@querent/contract";
import { ProblemError } from "../../src/api/problem-error.ts";
import type { Route, RouteRequest } from "../../src/api/route.ts";
import { EgressGuard } from "../../src/egress/index.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { Sender, signature, webhookRoutes } from "../../src/webhooks/index.ts";
import { signingLifeMs } from "../../src/webhooks/signing/signing-secrets.ts";
import { testDatabase } from "../harness/database.ts";
import { startReceiver } from "../harness/receiver.ts";
import { createAccount, deliveriesOf, endTasks, masterKey, startNotifier, until } from "./fixture.ts";

const { database } = await testDatabase();
const guard = new EgressGuard({ allow: "127.0.0.0/8,::1" });
let wakes = 0;
const sender = new Sender({ guard, clock: systemClock, version: "0.0.0" });
after(() => sender.close());
const routes = webhookRoutes({ database, masterKey, guard, sender, bodyBytesMax: 262_144, wake: () => wakes++ });

async function call(id: string, accountId: string, body?: unknown): Promise<WebhookRecord> {
  const found = routes.find(({ operation }) => operation.id === id) as Route;
  const caller = { accountId, accountName: "a", tokenId: "t" };
  const request = {
    caller,
    body,
    params: {},
    query: {},
    headers: {},
    rawBody: Buffer.alloc(0),
    requestId: "r",
    signal: new AbortController().signal,
  };
  const reply = await found.handle(request as unknown as RouteRequest<Operation>);
  assert.equal(reply.status, 200);
  assert.equal(reply.headers?.["cache-control"], "no-store");
  return reply.body as WebhookRecord;
}

test("a new account has a secret, and no address", async () => {
  const account = await createAccount(database);
  const record = await call("getWebhook", account);
  assert.match(record.signingSecret, /^whsec_[\w-]{43}$/);
  assert.deepEqual(
    { ...record, signingSecret: "" },
    {
      url: null,
      signingSecret: "",
      secretVersion: 1,
      events: ["task.finished"],
      status: "unset",
      suspendedAt: null,
      suspendedReason: null,
      lastSuccessAt: null,
      lastFailureAt: null,
      lastFailureStatus: null,
      lastFailureFault: null,
    },
  );
});

test("the address is set, read back as it was sent, and unset", async () => {
  const account = await createAccount(database);
  const before = wakes;
  assert.deepEqual(
    await call("putWebhook", account, { url: "https://127.0.0.1:9443/Hook?a=b" }),
    await call("getWebhook", account),
  );
  const record = await call("getWebhook", account);
  assert.deepEqual([record.url, record.status], ["https://127.0.0.1:9443/Hook?a=b", "active"]);
  assert.equal(wakes, before + 1);
  assert.deepEqual((await call("putWebhook", account, { url: null })).status, "unset");
});

test("an address that must not be sent to is refused, and the former one stays", async () => {
  const account = await createAccount(database, "https://127.0.0.1/");
  for (const url of [
    "http://example.com/",
    "https://10.0.0.1/",
    "https://169.254.169.254/",
    "https://[::ffff:7f00:1]/",
    "https://u:p@example.com/",
  ]) {
    await assert.rejects(
      call("putWebhook", account, { url }),
      (error) => error instanceof ProblemError && error.errors?.[0]?.code === "address_not_allowed",
    );
  }
  assert.equal((await call("getWebhook", account)).url, "https://127.0.0.1/");
});

test("rotations at the same time each get a version and a secret of their own", async () => {
  const account = await createAccount(database);
  const records = await Promise.all(Array.from({ length: 20 }, () => call("rotateSigningSecret", account)));
  assert.deepEqual(
    records.map(({ secretVersion }) => secretVersion).sort((a, b) => a - b),
    Array.from({ length: 20 }, (_, n) => n + 2),
  );
  assert.equal(new Set(records.map(({ signingSecret }) => signingSecret)).size, 20);
  const { rows } = await database.query("select version from signing_secrets where account_id = $1", [account]);
  assert.deepEqual(rows, [{ version: 21 }], "former secrets are destroyed");
});

test("after a rotation answers, no request whose signing starts later carries the old secret, under load, twice", async () => {
  const secrets = new Map<string, string>();
  await using receiver = await startReceiver();
  const account = await createAccount(database, receiver.url());
  const remember = (record: WebhookRecord) => secrets.set(String(record.secretVersion), record.signingSecret);
  remember(await call("getWebhook", account));
  const notifier = startNotifier(database, { caFile: receiver.caFile });
  await endTasks(database, account, { count: 1_500 });
  notifier.wake();
  const rotations: { version: number; answeredAt: number }[] = [];
  for (const count of [50, 600]) {
    await receiver.received(count);
    const record = await call("rotateSigningSecret", account);
    rotations.push({ version: record.secretVersion, answeredAt: Date.now() });
    remember(record);
  }
  await receiver.received(1_500);
  for (const { version, answeredAt } of rotations) {
    for (const { headers } of receiver.requests) {
      // The timestamp is taken when a request is signed; its secret was read a moment before, which 100 ms cover.
      const signedAt = Date.parse(String(headers["x-service-timestamp"]));
      if (signedAt > answeredAt + 100) assert.ok(Number(headers["x-service-secret-version"]) >= version);
    }
  }
  const seen = new Set<string>();
  for (const { headers, body } of receiver.requests) {
    const version = String(headers["x-service-secret-version"]);
    seen.add(version);
    assert.equal(headers["x-service-signature"], signature(secrets.get(version) ?? "", body));
  }
  assert.deepEqual([...seen].sort(), ["1", "2", "3"]);
  await notifier.end();
});

test("the first request after a rotation has the new secret, whatever was sent before it", async () => {
  await using receiver = await startReceiver();
  const account = await createAccount(database, receiver.url());
  const notifier = startNotifier(database, { caFile: receiver.caFile });
  for (let round = 1; round <= 10; round++) {
    const { secretVersion } = await call("rotateSigningSecret", account);
    await endTasks(database, account);
    notifier.wake();
    const request = (await receiver.received(round))[round - 1];
    assert.equal(request?.headers["x-service-secret-version"], String(secretVersion));
  }
  await notifier.end();
});

test("while an overlap lasts the former secret signs too, and a rotation without one ends it at once", async () => {
  await using receiver = await startReceiver();
  const account = await createAccount(database, receiver.url());
  const first = await call("getWebhook", account);
  await call("rotateSigningSecret", account, { previousSecretValidSeconds: 3600 });
  const notifier = startNotifier(database, { caFile: receiver.caFile });
  const send = async (count: number) => {
    await endTasks(database, account);
    notifier.wake();
    return (await receiver.received(count))[count - 1];
  };
  const overlapping = await send(1);
  assert.equal(
    overlapping?.headers["x-service-signature-previous"],
    signature(first.signingSecret, overlapping?.body ?? Buffer.alloc(0)),
  );
  await database.query(
    "update signing_secrets set valid_until = now() - interval '1 s' where account_id = $1 and version = 1",
    [account],
  );
  await sleep(signingLifeMs);
  assert.equal((await send(2))?.headers["x-service-signature-previous"], undefined);
  await call("rotateSigningSecret", account, { previousSecretValidSeconds: 3600 });
  await call("rotateSigningSecret", account, { previousSecretValidSeconds: 0 });
  assert.equal((await send(3))?.headers["x-service-signature-previous"], undefined);
  await notifier.end();
});

test("a 410 suspends the default address; what comes is held, and goes out to the address that is set next", async () => {
  await using gone = await startReceiver((_received, response) => response.writeHead(410).end());
  await using next = await startReceiver();
  const account = await createAccount(database, gone.url());
  const notifier = startNotifier(database, { caFile: gone.caFile });
  await endTasks(database, account);
  notifier.wake();
  await until(async () => (await call("getWebhook", account)).status === "suspended");
  await endTasks(database, account, { count: 3 });
  notifier.wake();
  const own = await endTasks(database, account, { webhookUrl: next.url("/own") });
  notifier.wake();
  await next.received(1);
  await until(async () => {
    const rows = await deliveriesOf(database, account);
    return (
      rows
        .map(({ state, phase }) => phase ?? state)
        .sort()
        .join() === "delivered,failed,held,held,held"
    );
  });
  assert.equal(own.length, 1);
  await call("putWebhook", account, { url: next.url("/resumed") });
  notifier.wake();
  await next.received(4);
  assert.deepEqual(
    next.requests.map(({ path }) => path),
    ["/own", "/resumed", "/resumed", "/resumed"],
  );
  assert.equal(gone.requests.length, 1);
  await until(async () => (await call("getWebhook", account)).lastSuccessAt);
  await notifier.end();
});
