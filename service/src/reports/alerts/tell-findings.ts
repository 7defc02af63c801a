/** Tells what alerts have found: the findings of an alert that are due, in one message to each of its destinations. */
import {
  alertFindingsMax,
  isOfPanel,
  mailsPerDayMax,
  type AlertFinding,
  type AlertKind,
  type AlertRaised,
  type AlertSettings,
} from "@querent/contract";
import type { Database, Queryable, Transaction } from "../../db/index.ts";
import { newId } from "../../kernel/ids.ts";
import { getPanel } from "../../panels/definitions/panels.ts";
import { PollLoop } from "../../runtime/poll-loop.ts";
import type { Service } from "../../runtime/service.ts";
import {
  announceEvent,
  channelUrl,
  countAddressed,
  readChannels,
  readRecipients,
  sendAddressed,
  toldOfAdding,
} from "../../webhooks/index.ts";
import { findingText, severityOf } from "./alert-words.ts";
import {
  collectSeconds,
  noteConditions,
  takeAccountToLookAt,
  type AlertCondition,
  type FindingData,
  type WatchTimes,
  quietUntil,
} from "./findings.ts";

export interface AlertsDeps {
  readonly database: Database;
  /** The link with which a recipient unsubscribes. Null: the service does not know its own URL. */
  readonly unsubscribeUrl: (recipientId: string) => string | null;
  /** The URL of a page of the console, by its path. Null: it is not known. */
  readonly consoleUrl: (path: string) => string | null;
  readonly accountName: (db: Queryable, accountId: string) => Promise<string>;
  /** The conditions that hold for an account. */
  readonly conditions: (accountId: string) => Promise<readonly AlertCondition[]>;
  /** Called after the commit: deliveries may be due. */
  readonly wake: () => void;
  readonly onTold: (told: { accountId: string; alertId: string; findings: number; messages: number }) => void;
  readonly onFault: (error: unknown) => void;
  readonly times?: WatchTimes;
  /** The time by which quiet hours are read. Default: that of the database. */
  readonly now?: () => Date;
}

const watchTimes: WatchTimes = { overAfterSeconds: 300, collectSeconds };
const lookEverySeconds = 30;
const dayMs = 86_400_000;

/** Watches conditions and tells what is due. In each process that runs tasks. */
export function alertTeller(deps: AlertsDeps): Service {
  const loops = [
    new PollLoop({
      everyMs: 1000,
      jitter: 0.2,
      onFault: deps.onFault,
      look: async () => ((await tellDue(deps)) ? 0 : undefined),
    }),
    new PollLoop({
      everyMs: 2000,
      jitter: 0.2,
      onFault: deps.onFault,
      look: async () => ((await lookAtConditions(deps)) ? 0 : undefined),
    }),
  ];
  return {
    start: () => {
      for (const loop of loops) loop.start();
    },
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** False: no account's conditions are to be looked at now. */
export async function lookAtConditions(deps: AlertsDeps): Promise<boolean> {
  const accountId = await takeAccountToLookAt(deps.database, lookEverySeconds);
  if (accountId === null) return false;
  const conditions = await deps.conditions(accountId);
  await deps.database.transaction((tx) => noteConditions(tx, accountId, conditions, deps.times ?? watchTimes));
  return true;
}

interface DueRule {
  readonly account_id: string;
  readonly id: string;
  readonly settings: AlertSettings;
  readonly recipients: string[];
  readonly now: Date;
}

interface DueFinding {
  readonly subject: string;
  readonly kind: AlertKind;
  readonly panel_id: string | null;
  readonly data: FindingData;
  readonly found_at: Date;
  readonly told_at: Date | null;
  readonly over_at: Date | null;
}

/** The most findings that one transaction tells. The rest is told by the next. */
const findingsAtOnce = 500;
/** An account that has sent as many messages as it may goes on after this time. */
const waitMinutes = 60;

/**
 * Tells the findings of one alert that are due, in one transaction: that they are told is committed with the deliveries, or neither is.
 * False: there was none. Locks: the alert's row, which makes processes tell its findings one after the other, then its findings, and what
 * `sendAddressed` and `announceEvent` lock.
 */
export async function tellDue(deps: AlertsDeps): Promise<boolean> {
  const told = await deps.database.transaction(async (tx) => {
    const rule = await takeRule(tx);
    if (rule === null) return null;
    const { account_id: accountId, id: alertId, settings } = rule;
    const findings = await lockFindings(tx, rule);
    const until = quietUntil(settings.quietHours, deps.now?.() ?? rule.now);
    const isNew = ({ told_at: at }: DueFinding) => at === null;
    // What is over is not held back: it lets somebody sleep.
    const begun = until === null ? findings.filter(isNew) : [];
    const over = findings.filter((finding) => !isNew(finding));
    if (until !== null) await postpone(tx, rule, until);
    if (begun.length + over.length === 0) return { ...rule, findings: 0, messages: 0 };
    const sent = await countAddressed(tx, accountId, new Date(rule.now.getTime() - dayMs));
    if (sent + rule.recipients.length + findings.length > mailsPerDayMax) {
      await postpone(tx, rule, new Date(rule.now.getTime() + waitMinutes * 60_000));
      return { ...rule, findings: 0, messages: 0 };
    }
    const raised = begun.length === 0 ? null : await raisedOf(tx, deps, { rule, findings: begun, state: "raised" });
    const messages = await tellAll(tx, deps, { rule, raised, begun, over });
    // Index: the primary key.
    await tx.query(
      `update alert_findings set due_at = null, told_at = coalesce(told_at, date_trunc('milliseconds', now())), messages = messages || $4::jsonb
        where account_id = $1 and alert_id = $2 and subject = any($3::text[])`,
      [accountId, alertId, [...begun, ...over].map(({ subject }) => subject), JSON.stringify(messages)],
    );
    if (begun.length > 0)
      await tx.query(
        "update alert_rules set last_told_at = date_trunc('milliseconds', now()) where account_id = $1 and id = $2",
        [accountId, alertId],
      );
    // Last, because it locks the account's row.
    if (raised !== null)
      await announceEvent(tx, { accountId, type: "alert.raised", subject: raised.messageId, data: raised });
    return { ...rule, findings: begun.length, messages: messages.length };
  });
  if (told === null) return false;
  if (told.messages > 0) {
    deps.onTold({ accountId: told.account_id, alertId: told.id, findings: told.findings, messages: told.messages });
    deps.wake();
  }
  return true;
}

async function takeRule(tx: Transaction): Promise<DueRule | null> {
  // Index: alert_findings_due, the primary key. Locks: one alert that nobody else has locked. Its key stays free for whoever adds a
  // finding, and may hold the lock of the account that this transaction takes last.
  const { rows } = await tx.query<DueRule & Record<string, unknown>>(
    `select account_id, id, settings, recipients, now() as now from alert_rules r
      where exists (select from alert_findings f where f.account_id = r.account_id and f.alert_id = r.id and f.due_at <= now())
      order by (select min(f.due_at) from alert_findings f where f.account_id = r.account_id and f.alert_id = r.id) limit 1
        for no key update skip locked`,
  );
  return rows[0] ?? null;
}

/** All that wait, also those that are due a little later: they belong into the same message. */
async function lockFindings(tx: Transaction, { account_id: accountId, id }: DueRule): Promise<DueFinding[]> {
  // Index: the primary key. Locks: the rows.
  const { rows } = await tx.query<DueFinding & Record<string, unknown>>(
    `select subject, kind, panel_id, data, found_at, told_at, over_at from alert_findings
      where account_id = $1 and alert_id = $2 and due_at is not null order by found_at, subject limit $3 for update`,
    [accountId, id, findingsAtOnce],
  );
  return rows;
}

/** What was told already waits only to be over, which is not postponed. */
async function postpone(tx: Transaction, { account_id: accountId, id }: DueRule, until: Date): Promise<void> {
  await tx.query(
    `update alert_findings set due_at = $3 where account_id = $1 and alert_id = $2 and due_at < $3 and told_at is null`,
    [accountId, id, until],
  );
}

interface ToTell {
  readonly rule: DueRule;
  /** What is told of those that have begun; null: there are none. */
  readonly raised: AlertRaised | null;
  readonly begun: readonly DueFinding[];
  readonly over: readonly DueFinding[];
}

/** The destination of an event, as it is listed. */
interface StoredMessage {
  readonly to: string;
  readonly eventId: string | null;
}

async function tellAll(
  tx: Transaction,
  deps: AlertsDeps,
  { rule, raised, begun, over }: ToTell,
): Promise<StoredMessage[]> {
  const { account_id: accountId } = rule;
  const channels = [...(await readChannels(tx, accountId, rule.recipients)).values()];
  const messages: StoredMessage[] = [];
  const send = async (to: readonly string[], events: readonly { url: string; data: AlertRaised }[]) => {
    const ids = await sendAddressed(tx, { accountId, type: "alert.raised", events });
    for (const [index, eventId] of ids.entries()) messages.push({ to: to[index] ?? "", eventId });
  };
  if (raised !== null) {
    const plain = channels.filter(({ kind }) => kind !== "pagerduty");
    await send(
      plain.map(({ name }) => name),
      plain.map(({ id }) => ({ url: channelUrl(id), data: raised })),
    );
    messages.push(...(await tellByMail(tx, deps, rule, raised)));
  }
  // An incident for each condition. One that is over before it was told opens none.
  const incidents = [
    ...begun.flatMap((finding) => (finding.over_at === null ? [{ finding, state: "raised" as const }] : [])),
    ...over.map((finding) => ({ finding, state: "over" as const })),
  ].filter(({ finding }) => !isOfPanel(finding.kind));
  for (const { id, name } of channels.filter(({ kind }) => kind === "pagerduty")) {
    const data: AlertRaised[] = [];
    for (const { finding, state } of incidents)
      data.push(await raisedOf(tx, deps, { rule, findings: [finding], state }));
    await send(
      data.map(() => name),
      data.map((one) => ({ url: channelUrl(id), data: one })),
    );
  }
  return messages;
}

async function tellByMail(
  tx: Transaction,
  deps: AlertsDeps,
  { account_id: accountId, recipients }: DueRule,
  raised: AlertRaised,
): Promise<StoredMessage[]> {
  const all = [...(await readRecipients(tx, accountId, recipients)).values()];
  const wanted = all.flatMap((recipient) => {
    const unsubscribeUrl = recipient.unsubscribedAt === null ? deps.unsubscribeUrl(recipient.id) : null;
    return unsubscribeUrl === null ? [] : [{ ...recipient, unsubscribeUrl }];
  });
  const ids = await sendAddressed(tx, {
    ...{ accountId, type: "alert.raised" },
    events: wanted.map(({ email, unsubscribeUrl, addedAgainBy }) => ({
      url: `mailto:${email}`,
      data: { ...raised, mail: { unsubscribeUrl, addedAgainBy } },
    })),
  });
  await toldOfAdding(
    tx,
    accountId,
    wanted.map(({ id }) => id),
  );
  const events = new Map(wanted.map(({ id }, index) => [id, ids[index] ?? null]));
  return all.map(({ id, email }) => ({ to: email, eventId: events.get(id) ?? null }));
}

async function raisedOf(
  tx: Transaction,
  deps: AlertsDeps,
  { rule, findings, state }: { rule: DueRule; findings: readonly DueFinding[]; state: AlertRaised["state"] },
): Promise<AlertRaised> {
  const { account_id: accountId, id: alertId, settings } = rule;
  const panelIds = [...new Set(findings.flatMap(({ panel_id: id }) => id ?? []))];
  const names = new Map<string, string>();
  for (const id of panelIds) {
    const panel = await getPanel(tx, accountId, id);
    if (panel !== null) names.set(id, panel.name);
  }
  const shown = findings.slice(0, alertFindingsMax);
  const [panelId] = panelIds;
  const path = panelId === undefined ? "/" : panelIds.length === 1 ? `/panels/${panelId}` : "/panels";
  return {
    alertId,
    alertName: settings.name,
    messageId: newId(),
    state,
    language: settings.language,
    accountName: await deps.accountName(tx, accountId),
    findings: shown.map((finding): AlertFinding => {
      const { subject, kind, panel_id: ofPanel, data, found_at: foundAt, over_at: overAt } = finding;
      const panelName = ofPanel === null ? null : (names.get(ofPanel) ?? null);
      return {
        ...{ subject, kind, severity: severityOf(data), panelName },
        text: findingText(data, panelName, settings.language),
        panelId: ofPanel,
        changeId: data.of === "condition" ? null : data.changeId,
        platformCode: data.of === "condition" ? null : data.platformCode,
        foundAt: foundAt.toISOString(),
        overAt: overAt?.toISOString() ?? null,
      };
    }),
    moreFindings: findings.length - shown.length,
    url: deps.consoleUrl(path),
  };
}
