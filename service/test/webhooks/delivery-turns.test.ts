/** Claims look at the accounts that are in line: none with something to send is ever left out, and each has its turn. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { leaveLine, putForgottenInLine } from "../../src/webhooks/outbox/delivery-turns.ts";
import { atRacePoints } from "../../src/runtime/race-points.ts";
import { claimDeliveries } from "../../src/webhooks/send/claim-deliveries.ts";
import { LinePosition, upkeepDeliveries } from "../../src/webhooks/send/notifier.ts";
import { recordAttempts } from "../../src/webhooks/send/record-attempts.ts";
import { setWebhook } from "../../src/webhooks/settings/settings.ts";
import { testDatabase } from "../harness/database.ts";
import { startReceiver } from "../harness/receiver.ts";
import { holdAt } from "../harness/race.ts";
import { attempted, createAccount, endTasks, everything, guardFor, masterKey, until } from "./fixture.ts";

const { database } = await testDatabase();
beforeEach(() =>
  database.query("truncate deliveries, delivery_queue, delivery_breakers, delivery_turns, webhooks cascade"),
);

const newAccount = () => createAccount(database, "https://r.example.com/");

async function inLine(): Promise<string[]> {
  const { rows } = await database.query<{ account_id: string }>(
    "select account_id from delivery_turns where has_due order by account_id",
  );
  return rows.map((row) => row.account_id);
}

/** An account with something queued that has left the line, as if what is queued had come from a process of the version before. */
async function forgotten(): Promise<string> {
  const account = await newAccount();
  await endTasks(database, account);
  await database.query("update delivery_turns set has_due = false where account_id = $1", [account]);
  return account;
}

test("an account leaves the line when nothing is queued, and comes back with the next delivery", async () => {
  const [idle, busy] = [await newAccount(), await newAccount()];
  await endTasks(database, busy);
  await leaveLine(database, [idle, busy], false);
  assert.deepEqual(await inLine(), [busy]);
  await endTasks(database, idle);
  assert.deepEqual(await inLine(), [idle, busy].toSorted());
});

test("an end that comes while its account leaves the line waits, and puts it back", async () => {
  const account = await newAccount();
  using hold = holdAt("delivery_turns.locked");
  const leaving = leaveLine(database, [account], false);
  await hold.reached;
  const ending = endTasks(database, account);
  await until(async () => {
    const { rowCount } = await database.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return (rowCount ?? 0) > 0;
  }, "the end to wait");
  hold.release();
  await Promise.all([leaving, ending]);
  assert.deepEqual(await inLine(), [account]);
  assert.equal((await claimDeliveries(database, everything)).rows.length, 1);
});

test("an account stays in line while a transaction that queues something of it is under way", async () => {
  const account = await newAccount();
  const client = await database.connect();
  await client.query("begin");
  await client.query("select from delivery_turns where account_id = $1 for key share", [account]);
  await leaveLine(database, [account], false);
  assert.deepEqual(await inLine(), [account]);
  await client.query("rollback");
  await client.end();
});

test("an account whose breakers are all open waits for the first of them, or until one closes", async () => {
  const account = await newAccount();
  await endTasks(database, account, { count: 10 });
  const { rows } = await claimDeliveries(database, { ...everything, slotDeliveries: 1 });
  await database.query(
    `insert into delivery_breakers (account_id, origin, failures_in_row, openings, open_until)
     values ($1, 'https://r.example.com', 5, 1, now() + interval '1 h')`,
    [account],
  );
  await leaveLine(database, [account], false);
  assert.deepEqual(await inLine(), []);
  assert.ok(rows[0]);
  // A request that was in flight succeeds.
  await recordAttempts(database, [attempted(rows[0])]);
  assert.deepEqual(await inLine(), [account]);

  await database.query(
    `insert into delivery_breakers (account_id, origin, failures_in_row, openings, open_until)
     values ($1, 'https://r.example.com', 5, 1, now() + interval '1 h')`,
    [account],
  );
  await leaveLine(database, [account], false);
  assert.deepEqual((await claimDeliveries(database, everything)).rows, []);
  await database.query("update delivery_breakers set open_until = now(); update delivery_turns set again_at = now()");
  await database.query("update delivery_queue set state = 'queued', slot = null, lease_until = null");
  const probe = await claimDeliveries(database, everything);
  assert.equal(new Set(probe.rows.map(({ batchId }) => batchId)).size, 1, "a probe");
});

test("everything that queues deliveries again puts the account back in line", async () => {
  const account = await newAccount();
  await endTasks(database, account);
  const leave = async () => {
    await leaveLine(database, [account], false);
    assert.deepEqual(await inLine(), []);
  };
  const claimOne = async () => {
    const { rows } = await claimDeliveries(database, everything);
    assert.ok(rows[0]);
    return rows[0];
  };
  const delivery = await claimOne();
  await leave();
  await recordAttempts(database, [{ kind: "released", delivery, delayMs: 0 }]);
  assert.deepEqual(await inLine(), [account], "handed back");

  await claimOne();
  await leave();
  await database.query("update delivery_queue set lease_until = now() - interval '1 s'");
  await upkeepDeliveries(database);
  assert.deepEqual(await inLine(), [account], "of a process that died");

  await recordAttempts(database, [{ kind: "released", delivery: await claimOne(), delayMs: 60_000 }]);
  await leave();
  await database.query("update delivery_queue set next_attempt_at = now()");
  await claimOne();
  assert.deepEqual(await inLine(), [account], "due");

  await database.query("update delivery_queue set state = 'held', slot = null, lease_until = null");
  await leave();
  await using receiver = await startReceiver();
  await setWebhook({ database, masterKey, guard: guardFor(receiver.caFile) }, account, { url: receiver.url() });
  assert.deepEqual(await inLine(), [account], "resumed");
});

test("if more accounts have deliveries than a claim looks at, each has its turn before any has a second", async () => {
  const accounts = [];
  for (let n = 0; n < 40; n++) {
    const account = await newAccount();
    accounts.push(account);
    for (let batch = 0; batch < 3; batch++) await endTasks(database, account);
  }
  const line = new LinePosition();
  const served: string[] = [];
  while (served.length < 40) {
    const request = { ...everything, slots: 4, slotDeliveries: 1, afterAccount: line.after };
    const { rows, lastAccount } = await claimDeliveries(database, request);
    served.push(...rows.map(({ accountId }) => accountId));
    line.advance(lastAccount);
  }
  assert.deepEqual(served.toSorted(), accounts.toSorted());
});

test("accounts with nothing to send do not hide those behind them, and are not looked at again", async () => {
  for (let n = 0; n < 40; n++) await newAccount();
  const last = await newAccount();
  await endTasks(database, last);
  const line = new LinePosition();
  let claimed = 0;
  let goesOn = true;
  for (let claims = 0; goesOn && claims < 20; claims++) {
    const { rows, lastAccount } = await claimDeliveries(database, {
      ...everything,
      slots: 1,
      afterAccount: line.after,
    });
    claimed += rows.length;
    goesOn = line.advance(lastAccount) && claimed === 0;
  }
  assert.equal(claimed, 1);
  assert.ok((await inLine()).length < 20);
});

test("an error while accounts leave the line does not lose what was claimed", async () => {
  for (let n = 0; n < 6; n++) await newAccount();
  await endTasks(database, await newAccount());
  let failed = 0;
  atRacePoints((point) => {
    if (point !== "delivery_turns.locked") return;
    failed++;
    throw new Error("the database is away");
  });
  const { rows } = await claimDeliveries(database, everything);
  atRacePoints(null);
  assert.deepEqual([failed, rows.length], [1, 1]);
});

test("a round of claims goes on until it has looked at every account", () => {
  const line = new LinePosition();
  assert.equal(line.advance("b"), true);
  assert.equal(line.after, "b");
  assert.equal(line.advance("d"), true);
  assert.equal(line.advance("a"), false, "it began at the first");
  assert.equal(line.advance("c"), true);
  assert.equal(line.advance("e"), true);
  assert.equal(line.advance("b"), false, "past where it began");
  assert.equal(line.advance("d"), true, "the next round");
  assert.equal(line.advance(null), false, "all at once");
  assert.equal(line.after, null);
});

test("deliveries that a process of the version before has queued are found", async () => {
  const account = await forgotten();
  assert.equal(await putForgottenInLine(database), true);
  assert.deepEqual(await inLine(), [account]);
  assert.equal(await putForgottenInLine(database), false);
  await database.query("delete from delivery_turns");
  assert.equal(await putForgottenInLine(database), true);
  assert.deepEqual(await inLine(), [account]);
});
