/** Reports that are to be sent, are being prepared, or were sent: each occasion of a schedule once. */
import type { ReportScheduleSettings, SentReport, sentReportStates } from "@querent/contract";
import type { Database, Queryable, Transaction } from "../../db/index.ts";
import { newId } from "../../kernel/ids.ts";
import { readAddressedDeliveries, type AddressedDelivery } from "../../webhooks/index.ts";
import { nextTime, type OfPanel } from "./schedules.ts";

/** For so long a process has a report to itself. */
const takenSeconds = 300;
/** How often a report is tried, over about half an hour. */
const triesMax = 5;
/** How long a report waits for the run's changes to be judged, so that it can tell of them. */
const judgedWithinMinutes = 10;
const listedMax = 50;
/** How long it is kept what was sent. */
const keptDays = 400;

/** Queues the reports of a panel's run that has ended, in the transaction that ends it. */
export async function queueForRun(
  tx: Queryable,
  { accountId, panelId, runId }: OfPanel & { readonly runId: string },
): Promise<void> {
  // Index: report_schedules_panel. Locks: only the new rows.
  await tx.query(
    `insert into sent_reports (account_id, id, panel_id, schedule_id, reason, occasion, state, due_at, created_at)
     select s.account_id, i.id, s.panel_id, s.id, 'run', 'run ' || $3::text, 'preparing', now(), date_trunc('milliseconds', now())
       from (select account_id, id, panel_id, row_number() over (order by id) as nth from report_schedules
              where account_id = $1 and panel_id = $2 and settings->>'every' = 'run' and not (settings->>'paused')::boolean) s
       join unnest($4::uuid[]) with ordinality as i(id, nth) on i.nth = s.nth
     on conflict on constraint sent_once do nothing`,
    [accountId, panelId, runId, Array.from({ length: 20 }, newId)],
  );
}

/**
 * Queues the report of a schedule whose time has come, and moves the schedule on, in one transaction. Of several times that have passed, as
 * after a time without a process, one report is sent. False: there is none.
 */
export async function queueDue(database: Database): Promise<boolean> {
  return database.transaction(async (tx) => {
    // Index: report_schedules_due. Locks: one row that nobody else has locked.
    const { rows } = await tx.query<{
      account_id: string;
      id: string;
      panel_id: string;
      settings: ReportScheduleSettings;
      next_at: Date;
      now: Date;
    }>(
      `select account_id, id, panel_id, settings, next_at, now() as now from report_schedules
        where next_at <= now() order by next_at limit 1 for update skip locked`,
    );
    const [schedule] = rows;
    if (schedule === undefined) return false;
    await tx.query("update report_schedules set next_at = $3 where account_id = $1 and id = $2", [
      schedule.account_id,
      schedule.id,
      nextTime(schedule.settings, schedule.now),
    ]);
    await tx.query(
      `insert into sent_reports (account_id, id, panel_id, schedule_id, reason, occasion, state, due_at, created_at)
       values ($1, $2, $3, $4, 'time', $5, 'preparing', now(), date_trunc('milliseconds', now()))
       on conflict on constraint sent_once do nothing`,
      [schedule.account_id, newId(), schedule.panel_id, schedule.id, `time ${schedule.next_at.toISOString()}`],
    );
    return true;
  });
}

/** Queues a report on request. Null: there is no such schedule. `busy`: one is being prepared. */
export async function queueRequested(
  database: Database,
  { accountId, panelId, scheduleId }: OfPanel & { readonly scheduleId: string },
): Promise<SentRow | "busy" | null> {
  return database.transaction(async (tx) => {
    // Locks: the schedule's row, so that two requests are handled one after the other. Index: the primary keys.
    const { rowCount } = await tx.query(
      "select 1 from report_schedules where account_id = $1 and id = $2 and panel_id = $3 for update",
      [accountId, scheduleId, panelId],
    );
    if (rowCount === 0) return null;
    const id = newId();
    const { rows } = await tx.query<SentRow & Record<string, unknown>>(
      `insert into sent_reports (account_id, id, panel_id, schedule_id, reason, occasion, state, due_at, created_at)
       select $1, $2::uuid, $3, $4, 'request', 'request ' || $2::text, 'preparing', now(), date_trunc('milliseconds', now())
        where not exists (select from sent_reports where account_id = $1 and panel_id = $3 and schedule_id = $4 and due_at is not null)
       returning ${columns}`,
      [accountId, id, panelId, scheduleId],
    );
    return rows[0] ?? "busy";
  });
}

/** A report that this process prepares. */
export interface TakenReport extends OfPanel {
  readonly reportId: string;
  readonly scheduleId: string;
  readonly reason: SentReport["reason"];
  readonly tries: number;
  /** The schedule as it is now; null: it was deleted. */
  readonly settings: ReportScheduleSettings | null;
  readonly recipientIds: readonly string[];
}

/**
 * Takes the report that has been due the longest of the next account, in the order of their ids, so that one with a thousand reports
 * keeps nobody else's waiting; null if none is due. It is due again after five minutes, so one whose process is killed is prepared by
 * another. A report for a run waits for its changes to be judged. `afterAccount`: whose report this process took before.
 */
export async function takeReport(database: Database, afterAccount: string | null): Promise<TakenReport | null> {
  // Index: sent_reports_due, the primary keys. Locks: one row that nobody else has locked.
  const { rows } = await database.query<{
    account_id: string;
    id: string;
    panel_id: string;
    schedule_id: string;
    reason: SentReport["reason"];
    tries: number;
    settings: ReportScheduleSettings | null;
    recipients: string[] | null;
  }>(
    `with taken as (
       update sent_reports r set due_at = now() + make_interval(secs => $1), tries = tries + 1
         from (select r.account_id, r.id from sent_reports r
                where r.due_at <= now()
                  and (r.reason <> 'run' or r.created_at < now() - make_interval(mins => $2)
                       or not exists (select from panel_evaluations e
                                       where e.account_id = r.account_id and e.panel_id = r.panel_id and e.due_at is not null))
                order by coalesce(r.account_id > $3::uuid, true) desc, r.account_id, r.due_at limit 1
                  for update skip locked) as due
        where r.account_id = due.account_id and r.id = due.id
       returning r.account_id, r.id, r.panel_id, r.schedule_id, r.reason, r.tries
     )
     select t.*, s.settings, s.recipients from taken t
       left join report_schedules s on s.account_id = t.account_id and s.id = t.schedule_id`,
    [takenSeconds, judgedWithinMinutes, afterAccount],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    accountId: row.account_id,
    panelId: row.panel_id,
    reportId: row.id,
    scheduleId: row.schedule_id,
    reason: row.reason,
    tries: row.tries,
    settings: row.settings,
    recipientIds: row.recipients ?? [],
  };
}

export interface ReportEnd {
  readonly state: Exclude<(typeof sentReportStates)[number], "preparing">;
  readonly problem: string | null;
  readonly window?: { readonly from: string; readonly to: string };
  readonly shareId?: string | null;
  readonly pdf?: Buffer | null;
  readonly recipients?: readonly StoredRecipient[];
  readonly channels?: readonly StoredChannel[];
}

interface StoredChannel {
  readonly channelId: string;
  readonly name: string;
  readonly eventId: string;
}

/** As stored: the event is null for one who had unsubscribed. */
interface StoredRecipient {
  readonly email: string;
  readonly eventId: string | null;
}

/** Locks the row of a report that this process has taken. False: another has, or the panel was deleted. */
export async function lockTaken(tx: Transaction, { accountId, reportId, tries }: TakenReport): Promise<boolean> {
  // Locks: the report's row. Index: the primary key.
  const { rowCount } = await tx.query(
    "select 1 from sent_reports where account_id = $1 and id = $2 and tries = $3 and due_at is not null for update",
    [accountId, reportId, tries],
  );
  return rowCount === 1;
}

export async function endReport(
  tx: Queryable,
  { accountId, reportId, tries }: TakenReport,
  { state, problem, window, shareId = null, pdf = null, recipients = [], channels = [] }: ReportEnd,
): Promise<void> {
  await tx.query(
    `update sent_reports set state = $4, problem = $5, window_from = $6, window_to = $7, share_id = $8, pdf = $9, recipients = $10, channels = $11,
            due_at = null, finished_at = date_trunc('milliseconds', now())
      where account_id = $1 and id = $2 and tries = $3 and due_at is not null`,
    [
      ...[accountId, reportId, tries, state, problem, window?.from ?? null, window?.to ?? null, shareId, pdf],
      ...[JSON.stringify(recipients), JSON.stringify(channels)],
    ],
  );
}

/** Leaves a report to another process, because this one is stopping. The try does not count. */
export async function leaveReport(database: Database, { accountId, reportId, tries }: TakenReport): Promise<void> {
  await database.query(
    `update sent_reports set due_at = now(), tries = tries - 1
      where account_id = $1 and id = $2 and tries = $3 and due_at is not null`,
    [accountId, reportId, tries],
  );
}

/** After an error that may pass: it is tried again after a growing delay, or ends as failed. True: it has ended. */
export async function postponeReport(database: Database, taken: TakenReport, problem: string): Promise<boolean> {
  if (taken.tries >= triesMax) {
    await endReport(database, taken, { state: "failed", problem });
    return true;
  }
  await database.query(
    `update sent_reports set problem = $4, due_at = now() + make_interval(mins => $5)
      where account_id = $1 and id = $2 and tries = $3 and due_at is not null`,
    [taken.accountId, taken.reportId, taken.tries, problem, 2 ** (taken.tries - 1)],
  );
  return false;
}

interface SentRow {
  readonly id: string;
  readonly panel_id: string;
  readonly schedule_id: string;
  readonly reason: SentReport["reason"];
  readonly state: SentReport["state"];
  readonly problem: string | null;
  readonly window_from: Date | null;
  readonly window_to: Date | null;
  readonly share_id: string | null;
  readonly pdf_bytes: number | null;
  readonly recipients: readonly StoredRecipient[];
  readonly channels: readonly StoredChannel[];
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

const columns =
  "id, panel_id, schedule_id, reason, state, problem, window_from, window_to, share_id, octet_length(pdf) as pdf_bytes, recipients, channels, created_at, finished_at";

/** The latest reports of a panel, newest first. `urlOf`: the link of a share. */
export async function listSent(
  db: Queryable,
  { accountId, panelId }: OfPanel,
  urlOf: (shareId: string) => string | null,
): Promise<SentReport[]> {
  // Index: sent_reports_panel, the primary key. Locks nothing.
  const { rows } = await db.query<SentRow & { works: boolean }>(
    `select ${columns}, exists (select from report_shares s
                                 where s.account_id = r.account_id and s.id = r.share_id and s.expires_at > now()) as works
       from sent_reports r where account_id = $1 and panel_id = $2 order by id desc limit $3`,
    [accountId, panelId, listedMax],
  );
  const deliveries = await readAddressedDeliveries(
    db,
    accountId,
    rows.flatMap(({ recipients, channels }) => [...recipients, ...channels].flatMap(({ eventId }) => eventId ?? [])),
  );
  return rows.map((row) =>
    sentReportOf(row, { deliveries, shareUrl: row.share_id !== null && row.works ? urlOf(row.share_id) : null }),
  );
}

export function sentReportOf(
  row: SentRow,
  {
    deliveries = new Map(),
    shareUrl = null,
  }: { deliveries?: ReadonlyMap<string, AddressedDelivery>; shareUrl?: string | null } = {},
): SentReport {
  const { window_from: from, window_to: to } = row;
  return {
    reportId: row.id,
    panelId: row.panel_id,
    scheduleId: row.schedule_id,
    reason: row.reason,
    state: row.state,
    problem: row.problem,
    window: from === null || to === null ? null : { from: from.toISOString(), to: to.toISOString() },
    shareUrl,
    pdfBytes: row.pdf_bytes,
    recipients: row.recipients.map(({ email, eventId }) => recipientOf(email, eventId, deliveries)),
    channels: row.channels.map((channel) => sentChannelOf(channel, deliveries)),
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

function recipientOf(
  email: string,
  eventId: string | null,
  deliveries: ReadonlyMap<string, AddressedDelivery>,
): SentReport["recipients"][number] {
  const unsubscribed = { email, state: "unsubscribed" as const, deliveryId: null, problem: null };
  if (eventId === null) return unsubscribed;
  const found = deliveries.get(eventId);
  // Deliveries are deleted earlier than what was sent.
  if (found === undefined) return { email, state: "unknown", deliveryId: null, problem: null };
  const { delivery, lastAttempt } = found;
  const { deliveryId, state, failureReason } = delivery;
  if (failureReason === "unsubscribed") return { ...unsubscribed, deliveryId };
  return {
    email,
    state: addressedState(state),
    deliveryId,
    problem: state === "delivered" ? null : problemOf(lastAttempt),
  };
}

function sentChannelOf(
  { channelId, name, eventId }: StoredChannel,
  deliveries: ReadonlyMap<string, AddressedDelivery>,
): SentReport["channels"][number] {
  const found = deliveries.get(eventId);
  if (found === undefined) return { channelId, name, state: "unknown", deliveryId: null, problem: null };
  const { delivery, lastAttempt } = found;
  const state = addressedState(delivery.state);
  return {
    ...{ channelId, name, state, deliveryId: delivery.deliveryId },
    problem: state === "delivered" ? null : channelProblemOf(lastAttempt),
  };
}

/** How a message stands, as people are told. */
export const addressedState = (state: AddressedDelivery["delivery"]["state"]): "pending" | "delivered" | "failed" =>
  state === "delivered" || state === "pending" ? state : "failed";

function channelProblemOf(attempt: AddressedDelivery["lastAttempt"]): string | null {
  if (attempt === null) return null;
  const { status, fault, responseSnippet } = attempt;
  if (status !== null)
    return `The service behind the channel replied with ${status}${responseSnippet ? `: ${responseSnippet}` : ""}.`;
  if (fault === "channel_removed") return "The channel was deleted.";
  if (fault === "channel_gone") return "The channel is gone: its address is not valid any more.";
  return fault === null ? null : `There was no reply: ${fault}.`;
}

function problemOf(attempt: AddressedDelivery["lastAttempt"]): string | null {
  if (attempt === null) return null;
  const { status, fault, responseSnippet } = attempt;
  if (status !== null) return `The mail server replied: ${responseSnippet ?? status}`;
  return fault === null ? null : faults[fault];
}

const faults: Readonly<Record<NonNullable<NonNullable<AddressedDelivery["lastAttempt"]>["fault"]>, string>> = {
  dns: "The name of the mail server could not be resolved.",
  address: "The process that sends is of an older version, which can't send mail.",
  connect: "Nothing answers at the mail server's address.",
  tls: "There is no trusted TLS with the mail server.",
  timeout: "The mail server took too long. It may have taken the mail nevertheless.",
  reset: "The mail server closed the connection. It may have taken the mail nevertheless.",
  too_large: "The mail server's reply is too long.",
  malformed: "The mail server does not answer as one does.",
  not_set_up: "The operator has not set up mail in the process that sends.",
  unsubscribed: "The recipient has unsubscribed.",
  expired: "The report is no longer stored.",
  channel_removed: "The channel was deleted.",
  channel_gone: "The channel is gone.",
};

/** The PDF of a report; null: it is no longer stored. */
export async function readPdf(db: Queryable, accountId: string, reportId: string): Promise<Buffer | null> {
  // Index: the primary key. Locks nothing.
  const { rows } = await db.query<{ pdf: Buffer | null }>(
    "select pdf from sent_reports where account_id = $1 and id = $2",
    [accountId, reportId],
  );
  return rows[0]?.pdf ?? null;
}

/** Deletes PDFs that are no longer needed, and what was sent long ago. */
export async function forgetSent(database: Database, pdfDays: number): Promise<void> {
  // Index: sent_reports_age. Locks: those rows.
  await database.query(
    `update sent_reports set pdf = null where pdf is not null and due_at is null and created_at < now() - make_interval(days => $1)`,
    [pdfDays],
  );
  await database.query(
    "delete from sent_reports where due_at is null and created_at < now() - make_interval(days => $1)",
    [keptDays],
  );
}
