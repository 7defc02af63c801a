/** The alerts of an account: of what, and to whom. */
import {
  alertRecipientsMax,
  alertsMax,
  isOfPanel,
  type Alert,
  type AlertKind,
  type AlertRequest,
  type AlertSettings,
  type ProblemItem,
  type ToldFinding,
} from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import type { Database, Queryable, Transaction } from "../../db/index.ts";
import { newId } from "../../kernel/ids.ts";
import type { MailAddress } from "../../kernel/mail-address.ts";
import { hasPanel } from "../../panels/definitions/panels.ts";
import { noteAudit } from "../../runtime/audited.ts";
import {
  putRecipients,
  readAddressedDeliveries,
  readChannels,
  readRecipients,
  type ChannelName,
  type Recipient,
} from "../../webhooks/index.ts";
import { addressesIn, auditedTargets, targetsOf } from "../sending/schedules.ts";
import { addressedState } from "../sending/sent-reports.ts";
import { looksAtConditions, quietHoursFault } from "./findings.ts";

/** A request that was read. */
export interface ReadAlert {
  readonly settings: AlertSettings;
  readonly recipients: readonly MailAddress[];
  readonly channelIds: readonly string[];
  readonly again: ReadonlySet<string>;
}

const invalid = (errors: ProblemItem[]) =>
  new ProblemError("validation_failed", "The alert is not valid. Nothing was stored.", { errors });

/** Throws all errors of a request at once, other than those of its ids. */
export function readAlert(request: AlertRequest): ReadAlert {
  const errors: ProblemItem[] = [];
  const name = request.name.trim();
  if (name === "" || /\p{Cc}/u.test(name))
    errors.push({ pointer: "/name", code: "malformed", detail: "It is empty, or has a control character." });
  const recipients = addressesIn(request.recipients ?? [], "/recipients", errors);
  const again = addressesIn(request.contactAgain ?? [], "/contactAgain", errors);
  const channelIds = request.channels ?? [];
  const count = (request.recipients ?? []).length + channelIds.length;
  if (count === 0)
    errors.push({
      pointer: "/channels",
      code: "too_few",
      detail: "Name at least one channel here, or one mail address in `recipients`.",
    });
  if (count > alertRecipientsMax)
    errors.push({
      pointer: "/channels",
      code: "too_many",
      detail: `An alert has at most ${alertRecipientsMax} channels and mail addresses together.`,
    });
  const keys = new Set(recipients.map(({ key }) => key));
  again.forEach(({ key }, index) => {
    if (!keys.has(key))
      errors.push({ pointer: `/contactAgain/${index}`, code: "not_allowed", detail: "It is none of the recipients." });
  });
  const quietHours = request.quietHours ?? null;
  const fault = quietHours === null ? null : quietHoursFault(quietHours);
  if (fault !== null) errors.push({ ...fault, code: "not_allowed" });
  const { kinds } = request;
  const panels = request.panels ?? null;
  if (panels !== null && !kinds.some(isOfPanel))
    errors.push({
      pointer: "/panels",
      code: "not_allowed",
      detail: "None of its kinds is of panels: conditions are of the account.",
    });
  if (errors.length > 0) throw invalid(errors);
  return {
    settings: { name, kinds, panels, quietHours, language: request.language ?? "en", paused: request.paused ?? false },
    recipients,
    channelIds,
    again: new Set(again.map(({ key }) => key)),
  };
}

interface AlertRow {
  readonly id: string;
  readonly settings: AlertSettings;
  readonly recipients: string[];
  readonly last_told_at: Date | null;
  readonly waiting: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = `id, settings, recipients, last_told_at, created_at, updated_at,
  (select count(*)::int from alert_findings f
    where f.account_id = r.account_id and f.alert_id = r.id and f.due_at is not null and f.told_at is null) as waiting`;

export async function listAlerts(db: Queryable, accountId: string): Promise<Alert[]> {
  // Index: the primary keys. Locks nothing.
  const { rows } = await db.query<AlertRow & Record<string, unknown>>(
    `select ${columns} from alert_rules r where account_id = $1 order by id`,
    [accountId],
  );
  const ids = [...new Set(rows.flatMap(({ recipients }) => recipients))];
  const [recipients, channels] = [await readRecipients(db, accountId, ids), await readChannels(db, accountId, ids)];
  return rows.map((row) => alertOf(row, recipients, channels));
}

export async function createAlert(database: Database, accountId: string, read: ReadAlert, by: string): Promise<Alert> {
  return database.transaction(async (tx) => {
    // Two requests at the same time must not exceed the limit. Locks: this, then what `destinations` locks.
    await tx.query("select pg_advisory_xact_lock(hashtextextended('alerts ' || $1, 0))", [accountId]);
    const to = await destinations(tx, accountId, read, by);
    const { rows } = await tx.query<AlertRow & Record<string, unknown>>(
      `with r as (
         insert into alert_rules (account_id, id, settings, recipients, look_at, created_at, updated_at)
         select $1, $2, $3, $4::uuid[], case when $5 then now() end, date_trunc('milliseconds', now()), date_trunc('milliseconds', now())
          where (select count(*) from alert_rules where account_id = $1) < $6
         returning *)
       select ${columns} from r`,
      [accountId, newId(), read.settings, to.ids, looksAtConditions(read.settings), alertsMax],
    );
    const [row] = rows;
    if (row === undefined)
      throw new ProblemError(
        "state_conflict",
        `The account has ${alertsMax} alerts, which is the most. Nothing was stored. Delete one, or add the kinds to it.`,
      );
    noteAudit({ target: { type: "alert", id: row.id }, after: auditedOf(read) });
    return alertOf(row, to.recipients, to.channels);
  });
}

/** Null: there is no such alert. */
export async function replaceAlert(
  database: Database,
  { accountId, alertId }: { readonly accountId: string; readonly alertId: string },
  read: ReadAlert,
  by: string,
): Promise<Alert | null> {
  return database.transaction(async (tx) => {
    // Locks: the alert's row. Index: the primary key.
    const { rows: found } = await tx.query<{ settings: AlertSettings }>(
      "select settings from alert_rules where account_id = $1 and id = $2 for update",
      [accountId, alertId],
    );
    const [before] = found;
    if (before === undefined) return null;
    const to = await destinations(tx, accountId, read, by);
    const { settings } = read;
    if (settings.paused)
      await tx.query("update alert_findings set due_at = null where account_id = $1 and alert_id = $2", [
        ...[accountId, alertId],
      ]);
    // Other quiet hours are looked at anew.
    else
      await tx.query(
        "update alert_findings set due_at = least(due_at, now()) where account_id = $1 and alert_id = $2 and due_at is not null",
        [accountId, alertId],
      );
    await tx.query(
      `update alert_rules set settings = $3, recipients = $4::uuid[], look_at = case when $5 then now() end,
              updated_at = date_trunc('milliseconds', now())
        where account_id = $1 and id = $2`,
      [accountId, alertId, settings, to.ids, looksAtConditions(settings)],
    );
    noteAudit({ before: before.settings, after: auditedOf(read) });
    const { rows } = await tx.query<AlertRow & Record<string, unknown>>(
      `select ${columns} from alert_rules r where account_id = $1 and id = $2`,
      [accountId, alertId],
    );
    const [row] = rows;
    return row === undefined ? null : alertOf(row, to.recipients, to.channels);
  });
}

/** False: there is no such alert. */
export async function deleteAlert(
  database: Database,
  { accountId, alertId }: { readonly accountId: string; readonly alertId: string },
): Promise<boolean> {
  return database.transaction(async (tx) => {
    // Locks: the alert's row, then its findings. Index: the primary keys.
    const { rows } = await tx.query<{ settings: AlertSettings }>(
      "delete from alert_rules where account_id = $1 and id = $2 returning settings",
      [accountId, alertId],
    );
    await tx.query("delete from alert_findings where account_id = $1 and alert_id = $2", [accountId, alertId]);
    noteAudit({ before: rows[0]?.settings ?? null });
    return rows.length === 1;
  });
}

interface Destinations {
  readonly ids: readonly string[];
  readonly recipients: ReadonlyMap<string, Recipient>;
  readonly channels: ReadonlyMap<string, ChannelName>;
}

/** Throws if the account has not one of the panels or channels, or if a channel would get nothing. */
async function destinations(
  tx: Transaction,
  accountId: string,
  { settings: { kinds, panels }, channelIds, recipients, again }: ReadAlert,
  by: string,
): Promise<Destinations> {
  const channels = await readChannels(tx, accountId, channelIds);
  const errors: ProblemItem[] = [];
  for (const [index, panelId] of (panels ?? []).entries())
    if (!(await hasPanel(tx, { accountId, panelId })))
      errors.push({
        pointer: `/panels/${index}`,
        code: "not_allowed",
        detail: "The account has no such panel. `GET /v1/panels` lists them.",
      });
  for (const [index, id] of channelIds.entries()) {
    const fault = channelFault(channels.get(id), kinds);
    if (fault !== null) errors.push({ pointer: `/channels/${index}`, code: "not_allowed", detail: fault });
  }
  if (errors.length > 0) throw invalid(errors);
  const stored = await putRecipients(tx, accountId, recipients, { again, by });
  return {
    ids: [...stored.map(({ id }) => id), ...channels.keys()],
    recipients: new Map(stored.map((recipient) => [recipient.id, recipient])),
    channels,
  };
}

function channelFault(channel: ChannelName | undefined, kinds: readonly AlertKind[]): string | null {
  if (channel === undefined) return "The account has no such channel. `GET /v1/channels` lists them.";
  if (channel.kind !== "pagerduty" || kinds.some((kind) => !isOfPanel(kind))) return null;
  return "A channel of PagerDuty gets conditions, and all kinds of this alert are found in panels. Add a kind of condition, or leave the channel out.";
}

const auditedOf = (read: ReadAlert) => ({ ...read.settings, ...auditedTargets(read) });

function alertOf(
  row: AlertRow,
  recipients: ReadonlyMap<string, Recipient>,
  channels: ReadonlyMap<string, ChannelName>,
): Alert {
  const { name, kinds, panels, quietHours, language, paused } = row.settings;
  return {
    alertId: row.id,
    name,
    kinds: [...kinds],
    panels: panels === null ? null : [...panels],
    ...targetsOf(row.recipients, recipients, channels),
    quietHours,
    language,
    paused,
    waiting: row.waiting,
    lastToldAt: row.last_told_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

const listedMax = 100;

/** What an alert has found, newest first. Null: there is no such alert. */
export async function listFindings(
  db: Queryable,
  { accountId, alertId }: { readonly accountId: string; readonly alertId: string },
): Promise<ToldFinding[] | null> {
  // Index: the primary keys. Locks nothing.
  const { rows: found } = await db.query("select 1 from alert_rules where account_id = $1 and id = $2", [
    ...[accountId, alertId],
  ]);
  if (found.length === 0) return null;
  const { rows } = await db.query<{
    subject: string;
    kind: AlertKind;
    panel_id: string | null;
    found_at: Date;
    due_at: Date | null;
    told_at: Date | null;
    over_at: Date | null;
    messages: { to: string; eventId: string | null }[];
  }>(
    `select subject, kind, panel_id, found_at, due_at, told_at, over_at, messages from alert_findings
      where account_id = $1 and alert_id = $2 and (due_at is not null or told_at is not null)
      order by found_at desc, subject limit $3`,
    [accountId, alertId, listedMax],
  );
  const events = rows.flatMap(({ messages }) => messages.flatMap(({ eventId }) => eventId ?? []));
  const deliveries = await readAddressedDeliveries(db, accountId, [...new Set(events)]);
  return rows.map((row) => ({
    subject: row.subject,
    kind: row.kind,
    panelId: row.panel_id,
    state: row.told_at === null ? "waiting" : row.over_at === null ? "told" : "over",
    foundAt: row.found_at.toISOString(),
    toldAt: row.told_at?.toISOString() ?? null,
    overAt: row.over_at?.toISOString() ?? null,
    dueAt: row.told_at === null ? (row.due_at?.toISOString() ?? null) : null,
    deliveries: row.messages.map(({ to, eventId }): ToldFinding["deliveries"][number] => {
      if (eventId === null) return { to, state: "unsubscribed", deliveryId: null };
      const delivery = deliveries.get(eventId)?.delivery;
      if (delivery === undefined) return { to, state: "unknown", deliveryId: null };
      return { to, state: addressedState(delivery.state), deliveryId: delivery.deliveryId };
    }),
  }));
}
