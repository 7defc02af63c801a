/** Who gets the reports of a panel, when and as what. */
import {
  reportRecipientsMax,
  reportSchedulesMax,
  type ProblemItem,
  type ReportSchedule,
  type ReportScheduleRequest,
  type ReportScheduleSettings,
} from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import type { Database, Queryable, Transaction } from "../../db/index.ts";
import { newId } from "../../kernel/ids.ts";
import { readMailAddress, type MailAddress } from "../../kernel/mail-address.ts";
import { hasPanel } from "../../panels/definitions/panels.ts";
import { checkSchedule, nextSlot } from "../../panels/definitions/slots.ts";
import { noteAudit } from "../../runtime/audited.ts";
import { putRecipients, readChannels, readRecipients, type ChannelName, type Recipient } from "../../webhooks/index.ts";

export interface OfPanel {
  readonly accountId: string;
  readonly panelId: string;
}

/** A request that was read. */
export interface ReadSchedule {
  readonly settings: ReportScheduleSettings;
  readonly recipients: readonly MailAddress[];
  readonly channelIds: readonly string[];
  /** Keys of recipients who have asked to get mail again. */
  readonly again: ReadonlySet<string>;
}

/** Throws all errors of a request at once. */
export function readSchedule(request: ReportScheduleRequest): ReadSchedule {
  const { every } = request;
  const errors: ProblemItem[] = [];
  const isTimed = every !== "run";
  const onlyOf = (name: "weekday" | "dayOfMonth" | "time" | "timeZone", isOf: boolean, of: string) => {
    if (!isOf && (request[name] ?? null) !== null)
      errors.push({ pointer: `/${name}`, code: "not_allowed", detail: `Only a schedule with ${of} has it.` });
  };
  onlyOf("weekday", every === "week", "`every: week`");
  onlyOf("dayOfMonth", every === "month", "`every: month`");
  onlyOf("time", isTimed, "`every: week` or `month`");
  onlyOf("timeZone", isTimed, "`every: week` or `month`");
  const contents = request.contents ?? "link_and_pdf";
  const settings: ReportScheduleSettings = {
    every,
    weekday: every === "week" ? (request.weekday ?? 1) : null,
    dayOfMonth: every === "month" ? (request.dayOfMonth ?? 1) : null,
    time: isTimed ? (request.time ?? "08:00") : null,
    timeZone: isTimed ? (request.timeZone ?? "UTC") : null,
    contents,
    language: request.language ?? "en",
    paper: request.paper ?? "a4",
    clientName: request.clientName?.trim() || null,
    linkDays: request.linkDays ?? 30,
    paused: request.paused ?? false,
  };
  if (/\p{Cc}/u.test(settings.clientName ?? ""))
    errors.push({
      pointer: "/clientName",
      code: "malformed",
      detail: "It has a control character, such as a line break.",
    });
  if (isTimed)
    for (const { code, detail } of checkSchedule(timesOf(settings)))
      errors.push({ pointer: "/timeZone", code, detail });
  const recipients = addressesIn(request.recipients, "/recipients", errors);
  const channelIds = request.channels ?? [];
  if (recipients.length + channelIds.length === 0 && errors.length === 0)
    errors.push({
      pointer: "/recipients",
      code: "too_few",
      detail: "Name at least one mail address here, or one channel in `channels`.",
    });
  if (recipients.length + channelIds.length > reportRecipientsMax)
    errors.push({
      pointer: "/channels",
      code: "too_many",
      detail: `A schedule has at most ${reportRecipientsMax} mail addresses and channels together.`,
    });
  const again = addressesIn(request.contactAgain ?? [], "/contactAgain", errors);
  const keys = new Set(recipients.map(({ key }) => key));
  again.forEach(({ key }, index) => {
    if (!keys.has(key))
      errors.push({ pointer: `/contactAgain/${index}`, code: "not_allowed", detail: "It is none of the recipients." });
  });
  if (errors.length > 0)
    throw new ProblemError("validation_failed", "The schedule is not valid. Nothing was stored.", { errors });
  return { settings, recipients, channelIds, again: new Set(again.map(({ key }) => key)) };
}

/** Each address once. */
export function addressesIn(texts: readonly string[], pointer: string, errors: ProblemItem[]): MailAddress[] {
  const read = texts.flatMap((text, index) => {
    const address = readMailAddress(text);
    if (address === null)
      errors.push({
        pointer: `${pointer}/${index}`,
        code: "malformed",
        detail: "It is not a mail address like ana@example.com.",
      });
    return address ?? [];
  });
  // As it was written first.
  return [...new Map(read.toReversed().map((address) => [address.key, address])).values()].toReversed();
}

/** The times of a schedule that has some, as a cron expression. */
function timesOf({ weekday, dayOfMonth, time, timeZone }: ReportScheduleSettings) {
  const [hour, minute] = (time ?? "08:00").split(":").map(Number);
  const days = dayOfMonth === null ? `* * ${(weekday ?? 1) % 7}` : `${dayOfMonth} * *`;
  return { cron: `${minute} ${hour} ${days}`, timeZone: timeZone ?? "UTC" };
}

/** The next time after `after`; null: it is sent after runs, or paused. */
export const nextTime = (settings: ReportScheduleSettings, after: Date): Date | null =>
  settings.every === "run" || settings.paused ? null : nextSlot(timesOf(settings), after);

interface ScheduleRow {
  readonly id: string;
  readonly panel_id: string;
  readonly settings: ReportScheduleSettings;
  readonly recipients: string[];
  readonly next_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = "id, panel_id, settings, recipients, next_at, created_at, updated_at";

/** Null: the account has no such panel. */
export async function listSchedules(db: Queryable, { accountId, panelId }: OfPanel): Promise<ReportSchedule[] | null> {
  if (!(await hasPanel(db, { accountId, panelId }))) return null;
  // Index: report_schedules_panel. Locks nothing.
  const { rows } = await db.query<ScheduleRow & Record<string, unknown>>(
    `select ${columns} from report_schedules where account_id = $1 and panel_id = $2 order by id`,
    [accountId, panelId],
  );
  const ids = [...new Set(rows.flatMap((row) => row.recipients))];
  const [recipients, channels] = [await readRecipients(db, accountId, ids), await readChannels(db, accountId, ids)];
  return rows.map((row) => scheduleOf(row, recipients, channels));
}

/** Null: the account has no such panel. */
export async function createSchedule(
  database: Database,
  { accountId, panelId }: OfPanel,
  read: ReadSchedule,
  by: string,
): Promise<ReportSchedule | null> {
  return database.transaction(async (tx) => {
    // Locks: the panel, so that it is not deleted meanwhile, and its schedules are counted one after the other.
    if (!(await hasPanel(tx, { accountId, panelId }, "for update"))) return null;
    const channels = await chosenChannels(tx, accountId, read.channelIds);
    const recipients = await putRecipients(tx, accountId, read.recipients, { again: read.again, by });
    const { rows } = await tx.query<ScheduleRow & Record<string, unknown>>(
      `insert into report_schedules (account_id, id, panel_id, settings, recipients, next_at, created_at, updated_at)
       select $1, $2, $3, $4, $5::uuid[], $6, date_trunc('milliseconds', now()), date_trunc('milliseconds', now())
        where (select count(*) from report_schedules where account_id = $1 and panel_id = $3) < $7
       returning ${columns}`,
      [
        ...[accountId, newId(), panelId, read.settings, [...recipients, ...channels.values()].map(({ id }) => id)],
        await nextOf(tx, read),
        reportSchedulesMax,
      ],
    );
    const [row] = rows;
    if (row === undefined)
      throw new ProblemError(
        "state_conflict",
        `The panel has ${reportSchedulesMax} schedules of reports, which is the most. Nothing was stored. Delete one, or add the recipients to it.`,
      );
    noteAudit({ target: { type: "report_schedule", id: row.id }, after: auditedOf(read, panelId) });
    return scheduleOf(row, new Map(recipients.map((recipient) => [recipient.id, recipient])), channels);
  });
}

/** Null: there is no such schedule. */
export async function replaceSchedule(
  database: Database,
  { accountId, panelId, scheduleId }: OfPanel & { readonly scheduleId: string },
  read: ReadSchedule,
  by: string,
): Promise<ReportSchedule | null> {
  return database.transaction(async (tx) => {
    // Locks: the schedule's row. Index: the primary key.
    const { rows: found } = await tx.query<ScheduleRow & Record<string, unknown>>(
      `select ${columns} from report_schedules where account_id = $1 and id = $2 and panel_id = $3 for update`,
      [accountId, scheduleId, panelId],
    );
    const [before] = found;
    if (before === undefined) return null;
    const channels = await chosenChannels(tx, accountId, read.channelIds);
    const recipients = await putRecipients(tx, accountId, read.recipients, { again: read.again, by });
    const { rows } = await tx.query<ScheduleRow & Record<string, unknown>>(
      `update report_schedules set settings = $3, recipients = $4::uuid[], next_at = $5, updated_at = date_trunc('milliseconds', now())
        where account_id = $1 and id = $2 returning ${columns}`,
      [
        ...[accountId, scheduleId, read.settings, [...recipients, ...channels.values()].map(({ id }) => id)],
        await nextOf(tx, read),
      ],
    );
    noteAudit({ before: before.settings, after: auditedOf(read, panelId) });
    const [row = before] = rows;
    return scheduleOf(row, new Map(recipients.map((recipient) => [recipient.id, recipient])), channels);
  });
}

/** False: there is no such schedule. */
export async function deleteSchedule(
  database: Database,
  { accountId, panelId, scheduleId }: OfPanel & { readonly scheduleId: string },
): Promise<boolean> {
  return database.transaction(async (tx) => {
    // Locks: the schedule's row. Index: the primary key.
    const { rows } = await tx.query<{ settings: ReportScheduleSettings }>(
      "delete from report_schedules where account_id = $1 and id = $2 and panel_id = $3 returning settings",
      [accountId, scheduleId, panelId],
    );
    noteAudit({ before: rows[0]?.settings ?? null });
    return rows.length === 1;
  });
}

/** Throws if there is none of one of these ids, or one to which reports do not go. */
async function chosenChannels(
  tx: Transaction,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ChannelName>> {
  const channels = await readChannels(tx, accountId, ids);
  const errors = ids.flatMap((id, index): ProblemItem[] => {
    const pointer = `/channels/${index}`;
    const channel = channels.get(id);
    if (channel === undefined)
      return [
        { pointer, code: "not_allowed", detail: "The account has no such channel. `GET /v1/channels` lists them." },
      ];
    if (channel.kind !== "pagerduty") return [];
    return [{ pointer, code: "not_allowed", detail: "A report is no incident, so it does not go to PagerDuty." }];
  });
  if (errors.length > 0)
    throw new ProblemError("validation_failed", "The schedule is not valid. Nothing was stored.", { errors });
  return channels;
}

async function nextOf(tx: Transaction, { settings }: ReadSchedule): Promise<Date | null> {
  const { rows } = await tx.query<{ now: Date }>("select now() as now");
  return nextTime(settings, rows[0]?.now ?? new Date());
}

const auditedOf = (read: ReadSchedule, panelId: string) => ({ panelId, ...read.settings, ...auditedTargets(read) });

/** Whom something goes to, for the audit log, which has no addresses of persons. */
export const auditedTargets = ({
  recipients,
  channelIds,
  again,
}: Pick<ReadSchedule, "recipients" | "channelIds" | "again">) => ({
  recipients: recipients.length,
  channels: channelIds,
  contactAgain: again.size,
});

/** Whom something goes to: of these ids, the recipients and the channels that were not deleted. */
export function targetsOf(
  ids: readonly string[],
  recipients: ReadonlyMap<string, Recipient>,
  channels: ReadonlyMap<string, ChannelName>,
): Pick<ReportSchedule, "recipients" | "channels"> {
  return {
    recipients: ids.flatMap((id) => {
      const recipient = recipients.get(id);
      if (recipient === undefined) return [];
      return [{ email: recipient.email, unsubscribedAt: recipient.unsubscribedAt?.toISOString() ?? null }];
    }),
    channels: ids.flatMap((id) => {
      const channel = channels.get(id);
      return channel === undefined ? [] : [{ channelId: id, kind: channel.kind, name: channel.name }];
    }),
  };
}

function scheduleOf(
  row: ScheduleRow,
  recipients: ReadonlyMap<string, Recipient>,
  channels: ReadonlyMap<string, ChannelName>,
): ReportSchedule {
  return {
    scheduleId: row.id,
    panelId: row.panel_id,
    ...row.settings,
    ...targetsOf(row.recipients, recipients, channels),
    nextAt: row.next_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
