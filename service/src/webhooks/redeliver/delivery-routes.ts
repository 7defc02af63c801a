import {
  api,
  recoverableStates,
  recoveryMax,
  redeliveryRevisionMax,
  type AccountEventType,
  type DeliveryRecord,
  type RecoveryReply,
  type RecoveryRequest,
} from "@querent/contract";
import { asOfHeaders, route, type Route } from "../../api/route.ts";
import { decodeCursor, encodeCursor } from "../../api/cursor.ts";
import type { ListReader, Database, Queryable, Transaction } from "../../db/index.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { idPattern } from "../../kernel/ids.ts";
import { listDeliveries, readDelivery, readDeliveryBody, deliveryRecord, readDeliveryRow } from "./deliveries.ts";
import {
  lockFurtherDeliveries,
  supersedeWaiting,
  readDefaultAddress,
  writeAnnouncements,
  writeDeliveries,
  type TaskRecords,
} from "../outbox/outbox.ts";
import { announcementOf, readAccountEvents } from "../outbox/account-events.ts";

export interface DeliveryRoutesDeps extends RedeliverDeps {
  readonly lists: ListReader;
  readonly version: string;
  /** Called after a commit that may have made a delivery due. */
  readonly wake: () => void;
}

export function deliveryRoutes(deps: DeliveryRoutesDeps): Route[] {
  return [
    route(api.listDeliveries, async ({ caller, query }) => {
      const beforeId = query.cursor === undefined ? null : decodeCursor(query.cursor, idPattern);
      const { db, asOf } = deps.lists.source();
      const { deliveries, nextId } = await listDeliveries(db, caller.accountId, query, {
        beforeId,
        limit: query.limit ?? 50,
      });
      return {
        status: 200,
        headers: asOfHeaders(asOf),
        body: { deliveries, nextCursor: nextId === null ? null : encodeCursor(nextId) },
      };
    }),
    route(api.getDelivery, async ({ caller, params }) => {
      const delivery = await readDelivery(deps, caller.accountId, params.delivery_id);
      if (delivery === null) throw new ProblemError("not_found", "There is no such delivery.");
      return { status: 200, headers: { "cache-control": "no-store" }, body: delivery };
    }),
    route(api.getDeliveryBody, async ({ caller, params }) => {
      const found = await readDeliveryBody(deps, caller.accountId, params.delivery_id);
      if (found === null)
        throw new ProblemError("not_found", "There is no such delivery, or it was skipped: nothing is sent.");
      return {
        status: 200,
        headers: { "cache-control": "no-store", "content-type": "application/json", "body-origin": found.origin },
        body: found.body,
      };
    }),
    route(api.redeliver, async ({ caller, params }) => {
      const body = await redeliver(deps, caller.accountId, params.delivery_id);
      deps.wake();
      return { status: 202, body };
    }),
    route(api.recoverDeliveries, async ({ caller, body, signal }) => {
      const reply = await recoverDeliveries(deps, caller.accountId, body, signal);
      if (reply.redeliveredCount > 0) deps.wake();
      return { status: 200, body: reply };
    }),
  ];
}

// Redeliveries on request. Each is a delivery of its own: a new id, the task's next `deliveryRevision`, bytes built from the
// task as it is now, and a full retry schedule. It is not an event of the feed.
//
// Invariant: an account's further deliveries, these and those of new revisions, are created one after the other, under its
// advisory lock. So the latest delivery of a task is known while the next is created, and two recoveries never redeliver the
// same one. Locks: that lock, then rows of `delivery_queue` that nobody has claimed and their deliveries, and nothing after
// them.

interface RedeliverDeps {
  readonly database: Database;
  readonly records: TaskRecords;
  readonly bodyBytesMax: number;
}

/** What is redelivered, and where its task's notifications are sent. */
interface Source {
  /** The task, or the event of the account. */
  task_id: string;
  /** The type of the account's event; null for the end of a task. */
  event_type: AccountEventType | null;
  /** The task's own address; null: the account's default. */
  own_url: string | null;
  /** The number of the new delivery among those of its task or event. */
  revision: number;
}

/** Redeliveries per transaction: bounds its memory, and how long the lock is held. */
const rowsAtOnce = 100;
/** The remaining deliveries are counted up to this number. */
const countMax = 100_000;

/**
 * One redelivery. A delivery that is waiting for its next attempt is superseded; if one is being sent, the redelivery is
 * refused.
 */
export async function redeliver(deps: RedeliverDeps, accountId: string, deliveryId: string): Promise<DeliveryRecord> {
  return deps.database.transaction(async (tx) => {
    await lockFurtherDeliveries(tx, accountId);
    const { rows: sources } = await tx.query<Source>(
      `select d.task_id, d.event_type, case when not d.to_default then d.url end as own_url,
              (select max(l.delivery_revision) from deliveries l where l.account_id = d.account_id and l.task_id = d.task_id) + 1 as revision
         from deliveries d where d.account_id = $2 and d.id = $1`,
      [deliveryId, accountId],
    );
    const source = sources[0];
    if (source === undefined) throw new ProblemError("not_found", "There is no such delivery.");
    if (source.revision > redeliveryRevisionMax) throw deliveredOften();
    await supersede(tx, accountId, source.task_id);
    const [id] = await writeRedeliveries(deps, tx, accountId, [source]);
    const made = id === undefined ? null : await readDeliveryRow(tx, accountId, id);
    if (made === null) {
      throw new ProblemError(
        "state_conflict",
        "There is no address to redeliver to: the task, if it is of one, has none of its own, and the account has none. Set one with `PUT /v1/webhook`.",
      );
    }
    return deliveryRecord(made);
  });
}

const deliveredOften = () =>
  new ProblemError(
    "state_conflict",
    `This task or event has had ${redeliveryRevisionMax} deliveries, which is the most. Nothing was created or sent. Read the task with \`GET /v1/tasks/{task_id}\`, or the event in \`GET /v1/events\`.`,
  );

/**
 * Redelivers tasks whose latest delivery is in one of the states and was created in the range. Progress is recorded only in the
 * rows themselves: a redelivery becomes its task's latest delivery. So calls can be repeated, run concurrently, or be
 * interrupted, and no delivery is recovered twice; `until` excludes redeliveries that fail in turn.
 */
async function recoverDeliveries(
  deps: RedeliverDeps,
  accountId: string,
  request: RecoveryRequest,
  signal: AbortSignal,
): Promise<RecoveryReply> {
  const limit = request.limit ?? recoveryMax;
  // In whole milliseconds, as the response shows it, and never in the future: redeliveries of this call must be later, or one
  // that fails immediately would be recovered again. The pause lets the millisecond pass.
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
  const address = await readDefaultAddress(deps.database, accountId);
  const left = await countEligible(deps.database, range, true);
  const own = (address?.url ?? null) === null ? await countEligible(deps.database, range, false) : left;
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
    const address = await readDefaultAddress(tx, range.accountId);
    const { rows } = await tx.query<Source>(
      `select d.task_id, d.event_type, case when not d.to_default then d.url end as own_url, d.delivery_revision + 1 as revision
       ${eligible} order by d.id limit $6`,
      [range.accountId, range.states, range.since, range.until, (address?.url ?? null) !== null, limit],
    );
    const made = await writeRedeliveries(deps, tx, range.accountId, rows);
    return made.length;
  });
}

// Index: deliveries_undelivered; the unique one on the task for each row.
const eligible = `from deliveries d
  where d.account_id = $1 and d.undelivered and d.state = any($2::text[])
    and d.delivery_revision < ${redeliveryRevisionMax} and d.created_at >= $3 and d.created_at < $4 and ($5::boolean or not d.to_default)
    and not exists (select from deliveries l where l.account_id = d.account_id and l.task_id = d.task_id and l.delivery_revision > d.delivery_revision)`;

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

async function supersede(tx: Transaction, accountId: string, taskId: string): Promise<void> {
  await supersedeWaiting(tx, accountId, [taskId]);
  const { rowCount } = await tx.query(
    "select 1 from deliveries where account_id = $2 and task_id = $1 and state = 'pending'",
    [taskId, accountId],
  );
  if (rowCount !== 0) {
    throw new ProblemError(
      "state_conflict",
      "A delivery of this task or event is being sent right now. Ask again when it ended.",
      {
        headers: { "retry-after": "15" },
      },
    );
  }
}

/** Returns the ids of the deliveries that were created: tasks without an address are omitted. */
async function writeRedeliveries(
  deps: RedeliverDeps,
  tx: Transaction,
  accountId: string,
  sources: readonly Source[],
): Promise<readonly string[]> {
  const isTask = ({ event_type: type }: Source) => type === null;
  const ofTasks = sources.filter(isTask);
  const taskIds = ofTasks.map((source) => source.task_id);
  const records = await deps.records.read(tx, accountId, taskIds);
  const tasks = ofTasks.flatMap(({ task_id: taskId, own_url: webhookUrl, revision: deliveryRevision }) => {
    const record = records.get(taskId);
    return record === undefined ? [] : [{ accountId, taskId, webhookUrl, record, deliveryRevision }];
  });
  const { ids } = await writeDeliveries(tx, tasks, { bodyBytesMax: deps.bodyBytesMax, asEvents: false });
  const ofEvents = await writeEventRedeliveries(
    tx,
    accountId,
    sources.filter((source) => !isTask(source)),
  );
  return [...ids, ...ofEvents];
}

async function writeEventRedeliveries(
  tx: Transaction,
  accountId: string,
  sources: readonly Source[],
): Promise<readonly string[]> {
  const events = await readAccountEvents(
    tx,
    accountId,
    sources.map((source) => source.task_id),
  );
  const written: string[] = [];
  for (const [eventType, some] of Map.groupBy(sources, (source) => source.event_type)) {
    const again = some.flatMap(({ task_id: id, own_url: url, revision }) => {
      const event = events.get(id);
      return event === undefined ? [] : [announcementOf(accountId, event, revision, url)];
    });
    const { ids } = await writeAnnouncements(tx, again, { eventType, isNumbered: false, skipsUnaddressed: true });
    written.push(...ids);
  }
  return written;
}
