import type { DeliveryDetail, DeliveryPage, DeliveryRecord, DeliveryState } from "@querent/contract";
import type { Database } from "../db/index.ts";
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

/** A page of the account's deliveries, newest first: those older than `beforeId`. */
export async function listDeliveries(
  database: Database,
  accountId: string,
  filter: DeliveryFilter,
  page: { beforeId: string | null; limit: number },
): Promise<{ deliveries: DeliveryRecord[]; nextId: DeliveryPage["nextCursor"] }> {
  const values: unknown[] = [accountId];
  const conditions = ["d.account_id = $1"];
  const where = (condition: (parameter: string) => string, value: unknown) => {
    if (value === undefined || value === null) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  where((p) => `d.state = ${p}`, filter.state);
  // As it stands in the index.
  if (filter.state === "failed" || filter.state === "skipped") conditions.push("d.undelivered");
  where((p) => `d.task_id = ${p}`, filter.taskId);
  if (filter.destination !== undefined) {
    values.push(filter.destination, originOf(filter.destination));
    conditions.push(`(d.url = $${values.length - 1} or d.origin = $${values.length})`);
  }
  where((p) => `d.created_at >= ${p}`, filter.createdFrom);
  where((p) => `d.created_at < ${p}`, filter.createdBefore);
  where((p) => `d.id < ${p}`, page.beforeId);
  values.push(page.limit + 1);
  // Indexes: the primary key; deliveries_undelivered or the tasks' unique one when they narrow more. Ids sort by time.
  const { rows } = await database.query<DeliveryRow>(
    `select ${deliveryColumns} from ${withQueue} where ${conditions.join(" and ")} order by d.id desc limit $${values.length}`,
    values,
  );
  const shown = rows.slice(0, page.limit);
  return {
    deliveries: shown.map(deliveryRecord),
    nextId: rows.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

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
