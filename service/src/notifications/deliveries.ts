import type { DeliveryDetail, DeliveryPage, DeliveryRecord, DeliveryState } from "@querent/contract";
import type { Database } from "../db/index.ts";
import { walk } from "../kernel/walk.ts";
import { notificationBody } from "./body.ts";
import { waitsIn } from "./bundles.ts";
import type { LoggedAttempt } from "./finish.ts";
import { fixedHeaders } from "./send.ts";
import type { TaskRecords } from "./task-records.ts";

export interface DeliveryFilter {
  readonly state?: DeliveryState;
  readonly taskId?: string;
  /** An address, or an origin. */
  readonly destination?: string;
  readonly createdFrom?: string;
  readonly createdBefore?: string;
}

export interface DeliveryRow {
  id: string;
  task_id: string;
  delivery_revision: number;
  state: DeliveryState;
  place: DeliveryRecord["phase"];
  url: string | null;
  to_default: boolean;
  attempts: number;
  next_attempt_at: Date | null;
  created_at: Date;
  finished_at: Date | null;
}

/** Of `deliveries d` and, where it is pending, its row in `delivery_queue q`. */
export const deliveryColumns = `d.id, d.task_id, d.delivery_revision, d.state, q.place, d.url, d.to_default,
  jsonb_array_length(d.attempt_log) as attempts, q.next_attempt_at, d.created_at, d.finished_at`;

const withQueue = `deliveries d left join delivery_queue q on ${waitsIn}`;

/** A page of the account's deliveries, newest first: those older than `beforeId`. It may be short while `nextId` goes on: see `walk`. */
export async function listDeliveries(
  database: Database,
  accountId: string,
  filter: DeliveryFilter,
  page: { beforeId: string | null; limit: number },
): Promise<{ deliveries: DeliveryRecord[]; nextId: DeliveryPage["nextCursor"] }> {
  const values: unknown[] = [accountId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  // Indexes: a task's deliveries by the unique one, read whole; deliveries_undelivered; the primary key. Ids sort by time.
  const from =
    filter.taskId === undefined
      ? "deliveries d"
      : `(select * from deliveries where task_id = ${parameter(filter.taskId)} offset 0) d`;
  const undelivered = filter.state === "failed" || filter.state === "skipped" ? "and d.undelivered" : "";
  const conditions: string[] = [];
  if (filter.state !== undefined) conditions.push(`d.state = ${parameter(filter.state)}`);
  if (filter.destination !== undefined) {
    const { destination } = filter;
    conditions.push(`(d.url = ${parameter(destination)} or d.origin = ${parameter(originOf(destination))})`);
  }
  if (filter.createdFrom !== undefined) conditions.push(`d.created_at >= ${parameter(filter.createdFrom)}`);
  if (filter.createdBefore !== undefined) conditions.push(`d.created_at < ${parameter(filter.createdBefore)}`);
  const fits = conditions.length === 0 ? "true" : `coalesce(${conditions.join(" and ")}, false)`;
  const [before, count, limit] = [1, 2, 3].map((place) => `$${values.length + place}`);
  // As lists of tasks: the row that is looked at last comes along whether it fits or not. Locks nothing.
  const text = `select ${deliveryColumns}, d.fits, d.nth
     from (
       select * from (
         select d.*, ${fits} as fits, row_number() over (order by d.id desc)::int as nth
         from (
           select d.* from ${from}
           where d.account_id = $1 ${undelivered} and d.id < coalesce(${before}::uuid, '${greatestId}')
           order by d.id desc
           limit ${count}::int
         ) d
       ) d
       where d.fits or d.nth = ${count}::int
       order by d.id desc
       limit ${limit}::int
     ) d left join delivery_queue q on ${waitsIn}
     order by d.id desc`;
  const { rows, next } = await walk<DeliveryRow, string>(
    { before: page.beforeId, limit: page.limit, isWhole: conditions.length === 0 || filter.taskId !== undefined },
    (row) => row.id,
    async ({ before: beforeId, look, wanted }) => {
      const found = await database.query<DeliveryRow & { fits: boolean; nth: number }>(text, [
        ...values,
        beforeId,
        look,
        wanted,
      ]);
      return {
        rows: found.rows.filter((row) => row.fits),
        last: found.rows.find(({ nth }) => nth === look)?.id ?? null,
      };
    },
  );
  return { deliveries: rows.map(deliveryRecord), nextId: next };
}

const greatestId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** One delivery with its attempts and what it sends; null when the account has no such delivery. */
export async function readDelivery(
  deps: { database: Database; records: TaskRecords; version: string; bodyBytesMax: number },
  accountId: string,
  deliveryId: string,
): Promise<DeliveryDetail | null> {
  const { rows } = await deps.database.query<DeliveryRow & { body: Buffer | null; attempt_log: LoggedAttempt[] }>(
    `select ${deliveryColumns}, d.body, d.attempt_log from ${withQueue} where d.account_id = $2 and d.id = $1`,
    [deliveryId, accountId],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const body = row.url === null ? null : (row.body ?? (await rebuild(deps, accountId, row)));
  return {
    ...deliveryRecord(row),
    attempts: row.attempt_log.map((attempt, index) => ({ attempt: index + 1, ...attempt })),
    request:
      body === null
        ? null
        : {
            method: "POST",
            headers: fixedHeaders(deps.version, row.id),
            body: body.toString("utf8"),
            bodyOrigin: row.body === null ? "rebuilt" : "kept",
          },
  };
}

async function rebuild(
  deps: { database: Database; records: TaskRecords; bodyBytesMax: number },
  accountId: string,
  row: DeliveryRow,
): Promise<Buffer | null> {
  const record = (await deps.records.read(deps.database, accountId, [row.task_id])).get(row.task_id);
  return record === undefined ? null : notificationBody(record, row.delivery_revision, deps.bodyBytesMax);
}

export function deliveryRecord(row: DeliveryRow): DeliveryRecord {
  return {
    deliveryId: row.id,
    taskId: row.task_id,
    deliveryRevision: row.delivery_revision,
    state: row.state,
    phase: row.place,
    url: row.url,
    toAccountDefault: row.to_default,
    attemptCount: row.attempts,
    nextAttemptAt: row.place === "in_flight" ? null : (row.next_attempt_at?.toISOString() ?? null),
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

/** As it is stored, when the text is an origin and nothing more. */
function originOf(text: string): string | null {
  const url = URL.parse(text);
  return url !== null && url.href === `${url.origin}/` ? url.origin : null;
}
