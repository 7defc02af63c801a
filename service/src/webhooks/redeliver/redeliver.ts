/**
 * Deliberate redeliveries. Each is a delivery of its own: a new id, the task's next `deliveryRevision`, bytes made from the
 * task as it is now, all attempts before it. It is no event of the feed.
 *
 * Invariant: an account's further deliveries, these and those of new revisions, are made one after the other, under its
 * advisory lock; so the latest delivery of a task is known while the next is made, and two recoveries never take up the
 * same one. Locks: that lock, then rows of `delivery_queue` that nobody has claimed and their deliveries, and nothing after them.
 */
import type { DeliveryRecord, RecoveryReply, RecoveryRequest } from "@querent/contract";
import { recoverableStates, recoveryMax } from "@querent/contract";
import type { Database, Queryable, Transaction } from "../../db/index.ts";
import { newId } from "../../kernel/ids.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { lockFurtherDeliveries, supersedeWaiting } from "../outbox/announce-revisions.ts";
import { notificationBody } from "../outbox/body.ts";
import { deliveryColumns, deliveryRecord, openBreaker, type DeliveryRow } from "./deliveries.ts";
import { expiryOf } from "../outbox/outbox.ts";
import type { TaskRecords } from "../outbox/task-records.ts";

export interface RedeliverDeps {
  readonly database: Database;
  readonly records: TaskRecords;
  readonly bodyBytesMax: number;
}

/** What is redelivered, and where its task's notifications go. */
interface Source {
  readonly taskId: string;
  /** The task's own address; null: the account's default. */
  readonly ownUrl: string | null;
  /** Of the delivery to be made. */
  readonly revision: number;
}

interface DefaultAddress {
  url: string | null;
  suspended: boolean;
}

/** Redeliveries that one transaction makes: bounds what it holds in memory, and how long the lock is kept. */
const rowsAtOnce = 100;
/** What is left is counted so far and no further. */
const countMax = 100_000;

/** One redelivery. What was still waiting for its next attempt is superseded; what is being sent refuses it. */
export async function redeliver(deps: RedeliverDeps, accountId: string, deliveryId: string): Promise<DeliveryRecord> {
  return deps.database.transaction(async (tx) => {
    await lockFurtherDeliveries(tx, accountId);
    const { rows: sources } = await tx.query<{ task_id: string; own_url: string | null; revision: number }>(
      `select d.task_id, case when not d.to_default then d.url end as own_url,
              (select max(l.delivery_revision) from deliveries l where l.task_id = d.task_id) + 1 as revision
         from deliveries d where d.account_id = $2 and d.id = $1`,
      [deliveryId, accountId],
    );
    const source = sources[0];
    if (source === undefined) throw new ProblemError("not_found", "There is no such delivery.");
    await supersede(tx, source.task_id);
    const [made] = await insertRedeliveries(deps, tx, accountId, [
      { taskId: source.task_id, ownUrl: source.own_url, revision: source.revision },
    ]);
    if (made === undefined) {
      throw new ProblemError(
        "state_conflict",
        "There is no address to redeliver to: the task has none of its own, and the account has none. Set one with `PUT /v1/webhook`.",
      );
    }
    return deliveryRecord(made);
  });
}

/**
 * Redelivers tasks whose latest delivery is in one of the states and was made in the range. Nothing but the rows
 * themselves says what is done already: a redelivery makes itself the task's latest. So calls may be repeated, run side
 * by side, or be cut off, and no delivery is taken up twice; `until` keeps redeliveries that fail in their turn out of it.
 */
export async function recoverDeliveries(
  deps: RedeliverDeps,
  accountId: string,
  request: RecoveryRequest,
  signal: AbortSignal,
): Promise<RecoveryReply> {
  const limit = request.limit ?? recoveryMax;
  // Whole milliseconds, as the answer shows it, and never the future: what this call makes must be of a later time, or a
  // redelivery that fails at once would be taken up again. The pause lets the millisecond pass.
  const { rows: clock } = await deps.database.query<{ until: Date }>(
    `select least($1::timestamptz, date_trunc('milliseconds', now()) + interval '1 ms') as until, pg_sleep(0.002)`,
    [request.until ?? null],
  );
  const until = clock[0]?.until ?? new Date();
  const range = { accountId, states: request.states ?? recoverableStates, since: request.since, until };
  let redeliveredCount = 0;
  while (redeliveredCount < limit && !signal.aborted) {
    const made = await recoverSome(deps, range, Math.min(rowsAtOnce, limit - redeliveredCount));
    redeliveredCount += made;
    if (made === 0) break;
  }
  const { url } = await readDefault(deps.database, accountId);
  const left = await countEligible(deps.database, range, true);
  const own = url === null ? await countEligible(deps.database, range, false) : left;
  return { redeliveredCount, remaining: own, unaddressed: left - own, until: until.toISOString() };
}

interface Range {
  readonly accountId: string;
  readonly states: readonly string[];
  readonly since: string;
  readonly until: Date;
}

async function recoverSome(deps: RedeliverDeps, range: Range, limit: number): Promise<number> {
  return deps.database.transaction(async (tx) => {
    await lockFurtherDeliveries(tx, range.accountId);
    const { url } = await readDefault(tx, range.accountId);
    const { rows } = await tx.query<{ task_id: string; own_url: string | null; revision: number }>(
      `select d.task_id, case when not d.to_default then d.url end as own_url, d.delivery_revision + 1 as revision
       ${eligible} order by d.id limit $6`,
      [range.accountId, range.states, range.since, range.until, url !== null, limit],
    );
    const made = await insertRedeliveries(
      deps,
      tx,
      range.accountId,
      rows.map((row) => ({ taskId: row.task_id, ownUrl: row.own_url, revision: row.revision })),
    );
    return made.length;
  });
}

// Index: deliveries_undelivered; the tasks' unique one for each row.
const eligible = `from deliveries d
  where d.account_id = $1 and d.undelivered and d.state = any($2::text[])
    and d.created_at >= $3 and d.created_at < $4 and ($5::boolean or not d.to_default)
    and not exists (select from deliveries l where l.task_id = d.task_id and l.delivery_revision > d.delivery_revision)`;

async function countEligible(db: Queryable, range: Range, withDefault: boolean): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*) from (select ${eligible} limit ${countMax}) x`, [
    range.accountId,
    range.states,
    range.since,
    range.until,
    withDefault,
  ]);
  return rows[0]?.count ?? 0;
}

async function supersede(tx: Transaction, taskId: string): Promise<void> {
  await supersedeWaiting(tx, [taskId]);
  const { rowCount } = await tx.query("select 1 from deliveries where task_id = $1 and state = 'pending'", [taskId]);
  if (rowCount !== 0) {
    throw new ProblemError(
      "state_conflict",
      "A delivery of this task is being sent right now. Ask again when it ended.",
      {
        headers: { "retry-after": "15" },
      },
    );
  }
}

async function readDefault(db: Queryable, accountId: string): Promise<DefaultAddress> {
  const { rows } = await db.query<DefaultAddress>(
    "select url, suspended_at is not null as suspended from webhooks where account_id = $1",
    [accountId],
  );
  return rows[0] ?? { url: null, suspended: false };
}

/** Those with an address now; the others are left out. */
async function insertRedeliveries(
  deps: RedeliverDeps,
  tx: Transaction,
  accountId: string,
  sources: readonly Source[],
): Promise<DeliveryRow[]> {
  if (sources.length === 0) return [];
  const byDefault = await readDefault(tx, accountId);
  const records = await deps.records.read(
    tx,
    accountId,
    sources.map(({ taskId }) => taskId),
  );
  const made = sources.flatMap(({ taskId, ownUrl, revision }) => {
    const record = records.get(taskId);
    const url = ownUrl ?? byDefault.url;
    if (record === undefined || url === null) return [];
    const body = notificationBody(record, revision, deps.bodyBytesMax);
    const state = ownUrl === null && byDefault.suspended ? "held" : "queued";
    return [
      { id: newId(), taskId, revision, url, toDefault: ownUrl === null, state, body, expiresAt: expiryOf(record) },
    ];
  });
  if (made.length === 0) return [];
  const { rows } = await tx.query<DeliveryRow>(
    `with e as materialized (
       select e.*, now() as due from unnest($2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::text[], $7::bool[], $8::text[], $9::bytea[], $10::timestamptz[])
         as e(id, task_id, revision, url, origin, to_default, state, body, expires_at)
     ), q as (
       insert into delivery_queue (id, delivery_ids, account_id, origin, to_default, state, next_attempt_at, expires_at)
       select id, array[id], $1, origin, to_default, state, due, expires_at from e returning id, state, next_attempt_at
     ), d as (
       insert into deliveries as d (id, account_id, task_id, delivery_revision, url, origin, to_default, state, body, expires_at)
       select e.id, $1, e.task_id, e.revision, e.url, e.origin, e.to_default, 'pending', e.body, e.expires_at from e
       returning d.*
     )
     select ${deliveryColumns} from d join q on q.id = d.id left join ${openBreaker}`,
    [
      accountId,
      made.map(({ id }) => id),
      made.map(({ taskId }) => taskId),
      made.map(({ revision }) => revision),
      made.map(({ url }) => url),
      made.map(({ url }) => new URL(url).origin),
      made.map(({ toDefault }) => toDefault),
      made.map(({ state }) => state),
      made.map(({ body }) => body),
      made.map(({ expiresAt }) => expiresAt),
    ],
  );
  return rows;
}
