/** What alerts tell: changes of panels and conditions of accounts, each once for each alert that is of it. */
import {
  alertKinds,
  type AlertKind,
  type AlertSettings,
  type Condition,
  type FoundChange,
  type FoundInstrumentChange,
} from "@querent/contract";
import { rowsAs, type Queryable, type Transaction } from "../../db/index.ts";
import { entityNames } from "../../observations/entities/entity-rows.ts";
import type { Found } from "../changes/found-changes.ts";
import { checkSchedule, nextSlot } from "../../panels/definitions/slots.ts";

/** A condition that alerts may be of, with what only operators see. */
export interface AlertCondition extends Pick<Condition, "severity" | "detail"> {
  readonly code: Condition["code"] | "session_signed_out" | "session_needs_person";
  /** The platform, the session or the channel concerned; empty: none. */
  readonly about: string;
}

/** As stored with a finding. Names are those at that time. */
export type FindingData =
  | ({
      readonly of: "change";
      readonly changeId: string;
      readonly name: string;
      /** A site that is cited no more. */
      readonly isGone: boolean;
      readonly before: number | null;
      readonly after: number | null;
    } & Pick<FoundChange, "measure" | "platformCode" | "direction" | "since">)
  | {
      readonly of: "instrument";
      readonly changeId: string;
      readonly platformCode: string;
      /** The versions of the models. */
      readonly before: string;
      readonly after: string;
      readonly since: string;
    }
  | ({ readonly of: "condition" } & AlertCondition);

interface NewFinding {
  readonly subject: string;
  readonly kind: AlertKind;
  /** The kinds of alerts that are of it. */
  readonly kinds: readonly AlertKind[];
  readonly panelId: string | null;
  readonly data: FindingData;
}

/** Before a message is sent, others may come that belong into it: those of other panels, and of other series. */
export const collectSeconds = 30;

/**
 * Stores findings for the alerts that are of them, in the transaction that finds them: both are committed or neither is. Each is stored
 * once for each alert, however often it is found.
 */
async function raise(
  tx: Transaction,
  accountId: string,
  findings: readonly NewFinding[],
  collect: number,
): Promise<void> {
  for (const { subject, kind, kinds, panelId, data } of findings) {
    // Index: the primary key. An account has few alerts. Locks: the new rows, and the alerts (shared), which are not deleted meanwhile.
    await tx.query(
      `insert into alert_findings (account_id, alert_id, subject, kind, panel_id, data, found_at, due_at)
       select account_id, id, $2, $3, $4, $5, date_trunc('milliseconds', now()), now() + make_interval(secs => $7)
         from (select account_id, id, settings from alert_rules where account_id = $1 for key share) r
        where settings->'kinds' ?| $6::text[] and not (settings->>'paused')::boolean
          and ($4::uuid is null or settings->'panels' = 'null'::jsonb or settings->'panels' ? ($4::uuid)::text)
       on conflict do nothing`,
      [accountId, subject, kind, panelId, JSON.stringify(data), kinds, collect],
    );
  }
}

/** Raises what an evaluation has found. */
export async function raiseFound(
  tx: Transaction,
  accountId: string,
  found: Found,
  collect = collectSeconds,
): Promise<void> {
  const subject = `change ${found.data.changeId}`;
  const { panelId } = found.data;
  if (found.kind === "instrument")
    return raise(
      tx,
      accountId,
      [
        {
          ...{ subject, panelId },
          kind: "instrument_changed",
          kinds: ["instrument_changed"],
          data: instrumentData(found.data),
        },
      ],
      collect,
    );
  const { domain, entityId } = found.data;
  const ids = entityId === null ? [] : [entityId];
  const name = domain ?? (await entityNames(tx, accountId, ids)).get(entityId ?? "") ?? "";
  const data = changeData(found.data, name);
  const kinds: readonly AlertKind[] = data.isGone ? ["source_gone", "figure_changed"] : ["figure_changed"];
  return raise(tx, accountId, [{ subject, panelId, kind: kinds[0] ?? "figure_changed", kinds, data }], collect);
}

/** The share of the former citations below which a site counts as gone. */
const goneShare = 0.1;

function changeData(change: FoundChange, name: string): Extract<FindingData, { of: "change" }> {
  const { changeId, measure, platformCode, direction, since, domain } = change;
  const [before, after] = [change.before.value, change.after.value];
  const isGone =
    domain !== null && direction === "down" && before !== null && after !== null && after <= before * goneShare;
  return { of: "change", ...{ changeId, name, isGone, before, after, measure, platformCode, direction, since } };
}

function instrumentData(change: FoundInstrumentChange): FindingData {
  const { changeId, platformCode, since, before, after } = change;
  const versions = (side: FoundInstrumentChange["before"]) =>
    [...new Set(side.flatMap(({ modelVersion }) => modelVersion ?? []))].slice(0, 5).join(", ") || "–";
  return { of: "instrument", ...{ changeId, platformCode, since, before: versions(before), after: versions(after) } };
}

const kindsOfConditions: Readonly<Record<AlertCondition["code"], AlertKind | null>> = {
  endpoint_suspended: "endpoint_failing",
  endpoint_failing: "endpoint_failing",
  channel_gone: "endpoint_failing",
  platform_failing: "platform_failing",
  // A limit of a platform's is part of the work.
  platform_throttled: null,
  platform_paused: "platform_failing",
  no_browser: "platform_failing",
  no_worker: "platform_failing",
  points_exhausted: "points_short",
  points_low: "points_short",
  session_signed_out: "session_attention",
  session_needs_person: "session_attention",
};

/** Accounts with an alert of a condition whose turn it is, for this process. `everySeconds`: how often an account is looked at. */
export async function takeAccountToLookAt(db: Queryable, everySeconds: number): Promise<string | null> {
  // Index: alert_rules_look, the primary key. Locks: the alerts of one account that nobody else has locked.
  const { rows } = await db.query<{ account_id: string }>(
    `update alert_rules r set look_at = now() + make_interval(secs => $1)
       from (select account_id from alert_rules where look_at <= now() order by look_at limit 1 for update skip locked) due
      where r.account_id = due.account_id and r.look_at is not null returning r.account_id`,
    [everySeconds],
  );
  return rows[0]?.account_id ?? null;
}

const seenRows = rowsAs<AlertCondition>("c", {
  code: ["text", ({ code }) => code],
  about: ["text", ({ about }) => about],
  detail: ["jsonb", (condition) => JSON.stringify(condition)],
});

export interface WatchTimes {
  /** How long a condition must be gone until it is over, so that one that comes and goes is one. */
  readonly overAfterSeconds: number;
  readonly collectSeconds: number;
}

/**
 * Compares the conditions of an account with those that held, and raises what is new and what is over, in one transaction. Any number of
 * processes may do so.
 */
export async function noteConditions(
  tx: Transaction,
  accountId: string,
  conditions: readonly AlertCondition[],
  { overAfterSeconds, collectSeconds: collect }: WatchTimes,
): Promise<void> {
  const watched = [
    ...new Map(
      conditions
        .filter(({ code }) => kindsOfConditions[code] !== null)
        .map((condition) => [`${condition.code} ${condition.about}`, condition] as const),
    ).values(),
  ];
  // One process after the other. Locks: this, then rows of the account's conditions and findings.
  await tx.query("select pg_advisory_xact_lock(hashtextextended('conditions ' || $1, 0))", [accountId]);
  await tx.query(
    `insert into alert_conditions (account_id, code, about, since, seen_at, detail)
     select $1, c.code, c.about, date_trunc('milliseconds', now()), now(), c.detail from ${seenRows.after(1)}
     on conflict (account_id, code, about) do update set seen_at = now()`,
    [accountId, ...seenRows.values(watched)],
  );
  const { rows: ended } = await tx.query<ConditionRow>(
    `delete from alert_conditions where account_id = $1 and seen_at < now() - make_interval(secs => $2)
     returning code, about, since, detail`,
    [accountId, overAfterSeconds],
  );
  for (const condition of ended)
    // What was not told yet is told as over. What was told is due again, for channels that resolve incidents.
    await tx.query(
      `update alert_findings set over_at = date_trunc('milliseconds', now()), due_at = coalesce(due_at, now())
        where account_id = $1 and subject = $2 and over_at is null`,
      [accountId, subjectOf(condition)],
    );
  const { rows: open } = await tx.query<ConditionRow>(
    "select code, about, since, detail from alert_conditions where account_id = $1 order by since, code, about",
    [accountId],
  );
  // All that hold, so that an alert that was created since is told of them, too.
  const findings = open.flatMap((condition): NewFinding[] => {
    const kind = kindsOfConditions[condition.code];
    if (kind === null) return [];
    const data = { of: "condition", ...condition.detail } as const;
    return [{ subject: subjectOf(condition), kind, kinds: [kind], panelId: null, data }];
  });
  await raise(tx, accountId, findings, collect);
}

interface ConditionRow {
  readonly code: AlertCondition["code"];
  readonly about: string;
  readonly since: Date;
  readonly detail: AlertCondition;
}

const aboutCharsMax = 200;
const subjectOf = ({ code, about, since }: ConditionRow) =>
  `${code} ${[...about].slice(0, aboutCharsMax).join("")} ${since.toISOString()}`;

export const looksAtConditions = ({ kinds, paused }: Pick<AlertSettings, "kinds" | "paused">): boolean =>
  !paused && kinds.some((kind) => alertKinds[kind].of === "operations");

const keptDays = 90;

/** Deletes what was told long ago. A condition that holds for so long is kept. */
export async function forgetFindings(db: Queryable): Promise<void> {
  // Index: alert_findings_age. Locks: those rows.
  await db.query(
    `delete from alert_findings f where due_at is null and found_at < now() - make_interval(days => $1)
        and (subject like 'change %' or over_at is not null
             or not exists (select from alert_conditions c where c.account_id = f.account_id and starts_with(f.subject, c.code || ' ')))`,
    [keptDays],
  );
  // Of accounts without an alert of conditions, nobody looks whether they hold.
  await db.query("delete from alert_conditions where seen_at < now() - interval '1 day'");
}

type QuietHours = NonNullable<AlertSettings["quietHours"]>;

/** When quiet hours end that hold at a time; null: none hold then. Times are those of a wall clock, also when it is changed. */
export function quietUntil(hours: QuietHours | null, at: Date): Date | null {
  if (hours === null) return null;
  const { from, to, timeZone } = hours;
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const now = clock.format(at);
  const isQuiet = from < to ? from <= now && now < to : from <= now || now < to;
  if (!isQuiet) return null;
  const [hour, minute] = to.split(":").map(Number);
  return nextSlot({ cron: `${minute} ${hour} * * *`, timeZone }, at);
}

/** What is wrong with quiet hours; null: nothing. */
export function quietHoursFault({ from, to, timeZone }: QuietHours): { pointer: string; detail: string } | null {
  const [fault] = checkSchedule({ cron: "0 0 * * *", timeZone });
  if (fault !== undefined) return { pointer: "/quietHours/timeZone", detail: fault.detail };
  if (from === to)
    return {
      pointer: "/quietHours/to",
      detail: "They begin and end at the same time. To tell nothing, pause the alert.",
    };
  return null;
}
