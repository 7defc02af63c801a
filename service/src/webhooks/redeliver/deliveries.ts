import type {
  AccountEventType,
  DeliveryAttempt,
  DeliveryDetail,
  DeliveryPage,
  DeliveryRecord,
  DeliveryState,
} from "@querent/contract";
import type { Database, Queryable } from "../../db/index.ts";
import { scanPage } from "../../api/scan-page.ts";
import { eventBody, readAccountEvents } from "../outbox/account-events.ts";
import { isChannelUrl, mailOrigin, notificationBody, type TaskRecords } from "../outbox/outbox.ts";
import { waitsIn } from "../outbox/delivery-turns.ts";
import { attemptsMax, type LoggedDeliveryAttempt } from "../send/record-attempts.ts";
import { fixedHeaders } from "../send/send.ts";
import { signatureHeaders } from "../signing/signature.ts";

interface DeliveryFilter {
  readonly state?: DeliveryState;
  readonly taskId?: string;
  /** A URL or an origin. */
  readonly destination?: string;
  readonly createdFrom?: string;
  readonly createdBefore?: string;
}

interface DeliveryRow {
  id: string;
  /** The task, or the event of the account. */
  task_id: string;
  /** The type of the account's event; null for the end of a task. */
  event_type: AccountEventType | null;
  delivery_revision: number;
  state: DeliveryState;
  phase: DeliveryRecord["phase"];
  url: string | null;
  to_default: boolean;
  attempts: number;
  next_attempt_at: Date | null;
  created_at: Date;
  finished_at: Date | null;
  open_until: Date | null;
  last_status: number | null;
  last_fault: string | null;
  end_reason: "endpoint_suspended" | null;
}

/** Joins the open circuit breaker of a failing receiver, for which a pending delivery waits. Index: the primary key. */
const openBreaker = `delivery_breakers b
  on d.state = 'pending' and b.account_id = d.account_id and b.origin = d.origin and b.open_until > now()`;

/** Columns of `deliveries d` and, if it is pending, its row in `delivery_queue q` and `openBreaker`. */
const deliveryColumns = `d.id, d.task_id, d.event_type, d.delivery_revision, d.state, q.state as phase, d.url, d.to_default,
  jsonb_array_length(d.attempt_log) as attempts, q.next_attempt_at, d.created_at, d.finished_at,
  b.open_until, (d.attempt_log->-1->>'status')::int as last_status, d.attempt_log->-1->>'fault' as last_fault, d.end_reason`;

const withQueue = `deliveries d left join delivery_queue q on ${waitsIn} left join ${openBreaker}`;

/**
 * A page of the account's deliveries, newest first: those older than `beforeId`. A page can be short although `nextId` is set:
 * see `scanPage`.
 */
export async function listDeliveries(
  database: Queryable,
  accountId: string,
  filter: DeliveryFilter,
  page: { beforeId: string | null; limit: number },
): Promise<{ deliveries: DeliveryRecord[]; nextId: DeliveryPage["nextCursor"] }> {
  const values: unknown[] = [accountId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  // Indexes: the unique one for a task's deliveries, which are read completely; deliveries_undelivered; the primary key. Ids
  // sort by time.
  const from =
    filter.taskId === undefined
      ? "deliveries d"
      : `(select * from deliveries where account_id = $1 and task_id = ${parameter(filter.taskId)} offset 0) d`;
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
  // As for lists of tasks: the last row examined is returned whether it matches or not. Locks nothing.
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
     ) d left join delivery_queue q on ${waitsIn} left join ${openBreaker}
     order by d.id desc`;
  const { rows, next } = await scanPage<DeliveryRow, string>(
    { before: page.beforeId, limit: page.limit, isWhole: conditions.length === 0 || filter.taskId !== undefined },
    (row) => row.id,
    async ({ before: beforeId, rowsMax, wanted }) => {
      const found = await database.query<DeliveryRow & { fits: boolean; nth: number }>(text, [
        ...values,
        beforeId,
        rowsMax,
        wanted,
      ]);
      return {
        rows: found.rows.filter((row) => row.fits),
        last: found.rows.find(({ nth }) => nth === rowsMax)?.id ?? null,
      };
    },
  );
  return { deliveries: rows.map(deliveryRecord), nextId: next };
}

interface ReadDeliveryDeps {
  readonly database: Database;
  readonly records: TaskRecords;
  readonly version: string;
  readonly bodyBytesMax: number;
}

const greatestId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** One delivery with its attempts and its body; null if the account has no such delivery. */
export async function readDelivery(
  deps: ReadDeliveryDeps,
  accountId: string,
  deliveryId: string,
): Promise<DeliveryDetail | null> {
  const row = await readDeliveryRow(deps.database, accountId, deliveryId);
  if (row === null) return null;
  const sent = await bodyOf(deps, accountId, row);
  return {
    ...deliveryRecord(row),
    attempts: row.attempt_log.map((logged, index) => attemptOf(row.id, logged, index)),
    request:
      sent === null || isMadeWhenSent(row)
        ? null
        : {
            method: "POST",
            headers: fixedHeaders(deps.version, row.id),
            body: sent.body.toString("utf8"),
            bodyOrigin: sent.origin,
          },
  };
}

function attemptOf(deliveryId: string, logged: LoggedDeliveryAttempt, index: number): DeliveryAttempt {
  const { signature, previousSignature, standardSignature, secretVersion, ...attempt } = logged;
  const signed =
    signature === undefined || secretVersion === undefined
      ? null
      : {
          signature,
          secretVersion,
          ...(previousSignature !== undefined && { previousSignature }),
          ...(standardSignature !== undefined && { standardSignature }),
        };
  return {
    attempt: index + 1,
    ...attempt,
    headers: signed === null ? null : signatureHeaders(signed, { deliveryId, at: new Date(attempt.startedAt) }),
  };
}

/** The bytes of a delivery's body, and whether they are exactly the ones sent. */
interface DeliveryBody {
  readonly body: Buffer;
  readonly origin: "kept" | "rebuilt";
}

/** Reads the exact body of a delivery; null if there is no such delivery, or it has no body. */
export async function readDeliveryBody(
  deps: ReadDeliveryDeps,
  accountId: string,
  deliveryId: string,
): Promise<DeliveryBody | null> {
  const row = await readDeliveryRow(deps.database, accountId, deliveryId);
  return row === null ? null : bodyOf(deps, accountId, row);
}

type FullRow = DeliveryRow & { body: Buffer | null; attempt_log: LoggedDeliveryAttempt[] };

export async function readDeliveryRow(
  database: Queryable,
  accountId: string,
  deliveryId: string,
): Promise<FullRow | null> {
  // A body that has expired but has not been rebuilt yet is shown as it will be sent.
  const { rows } = await database.query<FullRow>(
    `select ${deliveryColumns}, case when d.expires_at is null or d.expires_at > now() then d.body end as body, d.attempt_log
     from ${withQueue} where d.account_id = $2 and d.id = $1`,
    [deliveryId, accountId],
  );
  return rows[0] ?? null;
}

async function bodyOf(deps: ReadDeliveryDeps, accountId: string, row: FullRow): Promise<DeliveryBody | null> {
  const { task_id: id, delivery_revision: revision } = row;
  if (row.url === null) return null;
  if (row.body !== null) return { body: row.body, origin: "kept" };
  if (row.event_type !== null) {
    const event = (await readAccountEvents(deps.database, accountId, [id])).get(id);
    return event === undefined ? null : { body: eventBody(event, revision), origin: "rebuilt" };
  }
  const record = (await deps.records.read(deps.database, accountId, [id])).get(id);
  return record === undefined
    ? null
    : { body: notificationBody(record, revision, deps.bodyBytesMax), origin: "rebuilt" };
}

/** What became of an event for one recipient, as its latest delivery says. */
export interface AddressedDelivery {
  readonly eventId: string;
  readonly delivery: DeliveryRecord;
  readonly lastAttempt: Pick<LoggedDeliveryAttempt, "status" | "fault" | "responseSnippet"> | null;
}

/** The latest deliveries of events for one recipient each, by event. */
export async function readAddressedDeliveries(
  db: Queryable,
  accountId: string,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, AddressedDelivery>> {
  if (eventIds.length === 0) return new Map();
  // Index: the unique one for an event's deliveries. Locks nothing.
  const { rows } = await db.query<DeliveryRow & { last: AddressedDelivery["lastAttempt"] }>(
    `select distinct on (d.task_id) ${deliveryColumns}, d.attempt_log->-1 as last
       from ${withQueue} where d.account_id = $1 and d.task_id = any($2::uuid[])
      order by d.task_id, d.delivery_revision desc`,
    [accountId, eventIds],
  );
  return new Map(
    rows.map((row) => [row.task_id, { eventId: row.task_id, delivery: deliveryRecord(row), lastAttempt: row.last }]),
  );
}

export function deliveryRecord(row: DeliveryRow): DeliveryRecord {
  return {
    deliveryId: row.id,
    event: row.event_type ?? "task.finished",
    taskId: row.event_type === null ? row.task_id : null,
    eventId: row.event_type === null ? null : row.task_id,
    deliveryRevision: row.delivery_revision,
    state: row.state,
    phase: row.phase,
    url: row.url,
    toAccountDefault: row.to_default,
    attemptCount: row.attempts,
    nextAttemptAt: nextAttemptAt(row)?.toISOString() ?? null,
    waitingFor: waitingFor(row),
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    failureReason: failureReason(row),
  };
}

/** When the next attempt is made; null while nobody can say, because the delivery is being sent or held. */
function nextAttemptAt({ phase, next_attempt_at, open_until }: DeliveryRow): Date | null {
  if (phase === "in_flight" || phase === "held") return null;
  return open_until !== null && next_attempt_at !== null && open_until > next_attempt_at ? open_until : next_attempt_at;
}

function waitingFor(row: DeliveryRow): DeliveryRecord["waitingFor"] {
  if (row.phase === null || row.phase === "in_flight") return null;
  if (row.phase === "held") return "endpoint_suspended";
  if (row.open_until !== null && nextAttemptAt(row) === row.open_until) return "receiver_failing";
  return row.phase === "waiting" ? "retry" : "turn";
}

const isMail = ({ url }: DeliveryRow) => url?.startsWith(mailOrigin) === true;
const isToChannel = ({ url }: DeliveryRow) => url !== null && isChannelUrl(url);
const isMadeWhenSent = (row: DeliveryRow) => isMail(row) || isToChannel(row);

function failureReason(row: DeliveryRow): DeliveryRecord["failureReason"] {
  const { state, end_reason, last_status, last_fault, attempts } = row;
  if (state !== "failed") return null;
  if (isMail(row)) {
    if (last_fault === "unsubscribed" || last_fault === "expired") return last_fault;
    return attempts < attemptsMax ? "refused" : "attempts_exhausted";
  }
  if (isToChannel(row)) {
    if (last_fault === "channel_removed" || last_fault === "expired") return last_fault;
    if (last_fault === "channel_gone" || last_status === 410) return "gone";
    if (last_status === 404 && attempts < attemptsMax) return "gone";
    return attempts < attemptsMax ? "refused" : "attempts_exhausted";
  }
  return end_reason ?? (last_status === 410 ? "gone" : "attempts_exhausted");
}

/** The origin in its stored form, if the text is exactly an origin. */
function originOf(text: string): string | null {
  const url = URL.parse(text);
  return url !== null && url.href === `${url.origin}/` ? url.origin : null;
}
