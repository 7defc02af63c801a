import type { Database, Queryable, Transaction } from "../../db/index.ts";
import { keptMessage, type RunFault } from "./attempt-log.ts";
import type { FailureCode } from "@querent/contract";

/** The maximum concurrency and rate of a platform. */
interface LiveLimits {
  readonly runningMax: number;
  readonly rate: { readonly perSecond: number; readonly burst: number } | null;
}

/** A platform's limits, as configured. */
export interface StartLimits extends LiveLimits {
  readonly code: string;
  readonly attemptsMax: number;
  /** The number of consecutive failures that opens the breaker; null: never. */
  readonly breakerAfter: number | null;
}

/** Writes the configured limits, and keeps the clocks. Limits that were set live remain in effect. */
export async function configureLimiters(database: Database, platforms: readonly StartLimits[]): Promise<void> {
  for (const platform of platforms.toSorted((a, b) => (a.code < b.code ? -1 : 1))) {
    await database.transaction(async (tx) => {
      await tx.query(
        `insert into platforms (code, running_max, attempts_max, breaker_after) values ($1, $2, $3, $4)
         on conflict (code) do update set attempts_max = excluded.attempts_max, breaker_after = excluded.breaker_after`,
        [platform.code, platform.runningMax, platform.attemptsMax, platform.breakerAfter],
      );
      // In a separate statement: its snapshot is taken after the platform's row was locked, so that it includes limits that
      // were set live.
      const { rowCount } = await tx.query("select from platform_limits where platform = $1", [platform.code]);
      if (rowCount === 0) await writeLimits(tx, platform.code, platform);
    });
  }
}

/**
 * Sets limits live: they replace the configured ones, even after restarts, until they are removed. False: there is no such
 * platform.
 */
export async function overrideLimits(
  database: Database,
  platform: string,
  limits: LiveLimits,
  tokenId: string,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    if (!(await writeLimits(tx, platform, limits))) return false;
    await tx.query(
      `insert into platform_limits (platform, token_id) values ($1, $2)
       on conflict (platform) do update set token_id = excluded.token_id, set_at = now()`,
      [platform, tokenId],
    );
    return true;
  });
}

/** Restores the configured limits. False: none had been set live. */
export async function restoreLimits(database: Database, platform: StartLimits): Promise<boolean> {
  return database.transaction(async (tx) => {
    await tx.query("select from platforms where code = $1 for no key update", [platform.code]);
    const { rowCount } = await tx.query("delete from platform_limits where platform = $1", [platform.code]);
    if (rowCount === 0) return false;
    return writeLimits(tx, platform.code, platform);
  });
}

/** Locks: the platform's row, until the commit. */
async function writeLimits(tx: Transaction, platform: string, { runningMax, rate }: LiveLimits): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update platforms set running_max = $2, rate_interval = $3::float8 * interval '1 second', rate_burst = $4,
       -- Never more than one full burst ahead: what a slower rate used up would keep a faster one shut for as long.
       rate_tat = least(rate_tat, now() + $4::int * coalesce($3::float8 * interval '1 second', interval '0'))
     where code = $1`,
    [platform, runningMax, rate === null ? null : 1 / rate.perSecond, rate?.burst ?? 1],
  );
  return rowCount === 1;
}

/** A report of a node without a lease is ignored. */
const leased = "exists (select from nodes n where n.id = $1 and n.lease_until > now())";

/** The shortest pause after a platform's throttle, whatever it asks for. */
const throttlePauseMsMin = 1_000;
/** The part of the wait that a platform asks for by which consecutive throttles begin to grow. */
const throttleStepMsMax = 10_000;
/** The longest pause that is due to consecutive throttles, and not asked for by the platform. */
const throttlePauseMsMax = 300_000;
/** A platform that was not throttled for this long since its last pause begins anew. */
const throttleForgottenMs = 600_000;
/** The time between two starts on a platform that was throttled: at most three in any second. */
const throttledIntervalMs = 400;
/** Once the platform answers again, the time between two starts is halved each time this has passed, until it is no limit. */
const recoveryStepMs = 5_000;
const recoverySteps = 6;

/**
 * SQL: the time between two starts, in seconds, that a throttle still imposes; null if it imposes none.
 *
 * `throttled_since` is the first of a platform's consecutive throttles: none of them was followed by an answer. The first answer
 * sets it to its own time, which is after `held_until`, and so starts the recovery.
 */
export const throttledInterval = `case
    when throttled_since is null or held_until is null then null
    when throttled_since <= held_until then ${throttledIntervalMs / 1000}
    when throttled_since > now() - interval '${(recoverySteps * recoveryStepMs) / 1000} seconds'
    then ${throttledIntervalMs / 1000} / power(2, floor(greatest(0, extract(epoch from now() - throttled_since)) / ${recoveryStepMs / 1000}))
    end::numeric`;

/**
 * Throttles the platform: no node starts anything on it for this time, and afterwards only a few tasks at a time until it has
 * answered. Consecutive throttles double the time, so that a platform that asks for too short a wait is left alone
 * nevertheless. Throttles of runs that were in progress during a pause are not consecutive. Never shortens an earlier pause.
 */
export async function throttlePlatform(
  db: Queryable,
  nodeId: string,
  platform: string,
  forMs: number,
  fault: RunFault,
): Promise<void> {
  const askedMs = Math.max(forMs, throttlePauseMsMin);
  await db.query(
    `update platforms set
       held_until = greatest(held_until, now() + interval '1 millisecond' * greatest($3::float8, case
         when held_until > now() or throttled_since > held_until or throttled_since is null then 0
         when held_until > now() - $7::float8 * interval '1 millisecond'
         then least($6::float8, $5::float8 + 1000 * extract(epoch from now() - throttled_since)) end)),
       throttled_since = case
         when held_until > now() - $7::float8 * interval '1 millisecond' and throttled_since <= held_until
         then throttled_since else now() end,
       last_failure = ${lastFailure("$4")}
     where code = $2 and ${leased}`,
    [
      nodeId,
      platform,
      askedMs,
      failureOf(fault),
      Math.min(askedMs, throttleStepMsMax),
      throttlePauseMsMax,
      throttleForgottenMs,
    ],
  );
}

/** Pauses the platform for a time that the service itself has determined, and at whose end it is asked as before. */
export async function pausePlatform(
  db: Queryable,
  nodeId: string,
  platform: string,
  forMs: number,
  fault: RunFault,
): Promise<void> {
  await db.query(
    `update platforms set
       held_until = greatest(held_until, now() + $3 * interval '1 millisecond'),
       throttled_since = case when throttled_since <= held_until then throttled_since end,
       last_failure = ${lastFailure("$4")}
     where code = $2 and ${leased}`,
    [nodeId, platform, forMs, failureOf(fault)],
  );
}

/** The platform gave an answer after a throttle, if only an error of another kind: it is asked more often from now on. */
export async function endThrottle(db: Queryable, nodeId: string, platform: string): Promise<void> {
  await db.query(
    `update platforms set throttled_since = now()
     where code = $2 and throttled_since <= held_until and held_until < now() and ${leased}`,
    [nodeId, platform],
  );
}

const lastFailure = (parameter: string) => `${parameter}::jsonb || jsonb_build_object('at', now())`;

const failureOf = ({ code, message, platformStatus }: RunFault): string =>
  JSON.stringify({ code, message: keptMessage(message), platformStatus });

/** Records a platform's failure that its breaker does not count, such as a rejected key. Written at most once a second. */
export async function noteFailure(db: Queryable, nodeId: string, platform: string, fault: RunFault): Promise<void> {
  await db.query(
    `update platforms set failing_since = coalesce(failing_since, now()), last_failure = ${lastFailure("$3")}
     where code = $2 and ${leased}
       and (failing_since is null or (last_failure->>'at')::timestamptz < now() - interval '1 second')`,
    [nodeId, platform, failureOf(fault)],
  );
}

/** The first pause of an open breaker; each further opening doubles it, up to the last. */
export const breakerPauseFirstS = 5;
export const breakerPauseLastS = 300;

/**
 * Counts a failed request to a platform; enough consecutive ones open its breaker. Once it has opened, only the failure of a
 * probe opens it again, not those of runs that were in progress.
 */
export async function countFailure(
  db: Queryable,
  nodeId: string,
  platform: string,
  probe: boolean,
  fault: RunFault,
): Promise<void> {
  const opens =
    "breaker_after is not null and ($3::boolean or failures_in_row + 1 >= breaker_after and breaker_openings = 0)";
  await db.query(
    `update platforms set
       failures_in_row = failures_in_row + 1,
       failing_since = coalesce(failing_since, now()),
       last_failure = ${lastFailure("$6")},
       breaker_open_until = case when ${opens}
         then now() + least($5, $4 * power(2, least(breaker_openings, 20))) * interval '1 second' else breaker_open_until end,
       breaker_openings = breaker_openings + case when ${opens} then 1 else 0 end
     where code = $2 and ${leased}`,
    [nodeId, platform, probe, breakerPauseFirstS, breakerPauseLastS, failureOf(fault)],
  );
}

/** The platform answered: the breaker closes. */
export async function countSuccess(db: Queryable, nodeId: string, platform: string): Promise<void> {
  await db.query(
    `update platforms set failures_in_row = 0, breaker_openings = 0, breaker_open_until = null, failing_since = null
     where code = $2 and (failures_in_row > 0 or breaker_openings > 0 or failing_since is not null) and ${leased}`,
    [nodeId, platform],
  );
}

/** A platform's current state according to the engine. Times that have passed are null. */
export interface LimiterState {
  readonly platform: string;
  /** The operator has set its limit to 0. */
  readonly paused: boolean;
  /** No running worker can ask it, as the workers last reported. */
  readonly unasked: boolean;
  readonly throttledUntil: Date | null;
  readonly throttledSince: Date | null;
  readonly breakerOpenUntil: Date | null;
  /** Its breaker has opened, and no probe has succeeded yet. */
  readonly probing: boolean;
  /** Its first failure after its last success. */
  readonly failingSince: Date | null;
  readonly lastFailure: {
    readonly code: FailureCode;
    readonly message: string;
    readonly platformStatus: number | null;
    readonly at: string;
  } | null;
}

/** The state of every platform, by code. Reads one row for each and locks none. */
export async function readLimiters(db: Queryable): Promise<Map<string, LimiterState>> {
  const { rows } = await db.query<LimiterState & Record<string, unknown>>(
    `select code as platform, running_max = 0 as paused, askable in ('lacking', 'no_worker') is true as unasked,
            case when held_until > now() then held_until end as "throttledUntil",
            case when held_until > now() then throttled_since end as "throttledSince",
            case when breaker_open_until > now() then breaker_open_until end as "breakerOpenUntil",
            breaker_openings > 0 as probing, failing_since as "failingSince", last_failure as "lastFailure"
     from platforms`,
  );
  return new Map(rows.map((row) => [row.platform, row]));
}
