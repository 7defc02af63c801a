/** Observations that are older than they are kept, on a real database: partitions emptied at once, the others row by row. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../../src/db/index.ts";
import { forgetObservations, keepObservations } from "../../src/observations/index.ts";
import { idAt, newId } from "../../src/kernel/ids.ts";
import { testDatabase } from "../harness/database.ts";
import { until } from "../harness/wait.ts";

const dayMs = 86_400_000;
/** The first partition ends on 1 January 2026. */
const inFirst = new Date("2025-06-01T12:00:00Z");
const daysSince = (time: Date) => Math.ceil((Date.now() - time.getTime()) / dayMs);
/** Since 10 January or so. */
const days = daysSince(new Date("2026-01-11T00:00:00Z"));
const old = new Date(Date.now() - (days + 1) * dayMs);
const recent = new Date(Date.now() - dayMs);

interface Writing {
  query(text: string, values: unknown[]): Promise<unknown>;
}

/** An imported answer: its observation, and its text. */
async function observe(db: Writing, accountId: string, at: Date): Promise<void> {
  const id = idAt(at, newId());
  await db.query(
    `insert into observations (account_id, id, observed_at, import_id, revision, result_digest, prompt_digest, platform,
       platform_kind, reader, content_length)
     values ($1, $2, $3, $1, 1, sha256(''), sha256(''), 'p', 'imported', 1, 0)`,
    [accountId, id, at],
  );
  await db.query(
    `insert into imported_answers (account_id, observation_id, expires_at, question, content)
     values ($1, $2, now() + interval '1 day', '?', '!')`,
    [accountId, id],
  );
}

const timesOf = async (database: Database, accountId: string) => {
  const { rows } = await database.query<{ observations: string[]; texts: number }>(
    `select (select coalesce(array_agg(observed_at::date::text order by id), '{}') from observations where account_id = $1) as observations,
            (select count(*)::int from imported_answers where account_id = $1) as texts`,
    [accountId],
  );
  return rows[0];
};
const dates = (...times: Date[]) => times.map((time) => time.toISOString().slice(0, 10));

test("a partition in which no account keeps anything is emptied at once, with the texts, and takes answers of its time again", async () => {
  const { database } = await testDatabase();
  const [one, other] = [newId(), newId()];
  for (const accountId of [one, other]) for (const at of [inFirst, old, recent]) await observe(database, accountId, at);
  const removed = await forgetObservations(database, days);
  assert.deepEqual(removed, { deleted: 2, emptied: ["observations_first"] });
  for (const accountId of [one, other])
    assert.deepEqual(await timesOf(database, accountId), { observations: dates(recent), texts: 1 });
  await observe(database, one, inFirst);
  assert.deepEqual((await forgetObservations(database, days)).emptied, ["observations_first"]);
  assert.deepEqual(await forgetObservations(database, days), { deleted: 0, emptied: [] });
});

test("where one account keeps its observations, those of the others are deleted by themselves", async () => {
  const { database } = await testDatabase();
  const [usual, forever, longer] = [newId(), newId(), newId()];
  await keepObservations(database, forever, null);
  await keepObservations(database, longer, daysSince(inFirst) + 1);
  for (const accountId of [usual, forever, longer]) await observe(database, accountId, inFirst);
  assert.deepEqual(await forgetObservations(database, days), { deleted: 1, emptied: [] });
  assert.deepEqual(await timesOf(database, usual), { observations: [], texts: 0 });
  for (const accountId of [forever, longer])
    assert.deepEqual(await timesOf(database, accountId), { observations: dates(inFirst), texts: 1 });
  await keepObservations(database, forever, "default");
  assert.deepEqual(await forgetObservations(database, days), { deleted: 1, emptied: [] });
});

test("an answer that is imported while its partition is about to be emptied stays, if its account keeps it", async () => {
  const { database } = await testDatabase();
  const [usual, forever] = [newId(), newId()];
  await keepObservations(database, forever, null);
  await observe(database, usual, inFirst);
  const importing = await database.connect();
  await importing.query("begin");
  await observe(importing, forever, inFirst);
  const forgetting = forgetObservations(database, days);
  await until("the partition's lock to be waited for", async () => {
    const { rows } = await database.query(
      "select from pg_stat_activity where datname = current_database() and query like 'lock table observations_first%' and wait_event_type = 'Lock'",
    );
    return rows.length === 1;
  });
  await importing.query("commit");
  await importing.end();
  assert.deepEqual(await forgetting, { deleted: 1, emptied: [] });
  assert.deepEqual(await timesOf(database, forever), { observations: dates(inFirst), texts: 1 });
  assert.deepEqual(await timesOf(database, usual), { observations: [], texts: 0 });
});
