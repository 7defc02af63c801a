import type { Database, Queryable } from "../db/index.ts";

/** A platform's limits, as configured. */
export interface PlatformLimits {
  readonly code: string;
  readonly runningMax: number;
  readonly rate: { readonly perSecond: number; readonly burst: number } | null;
  readonly attemptsMax: number;
  /** Failures in a row that open the breaker; null: never. */
  readonly breakerAfter: number | null;
}

/** Writes the configured limits into the gates, keeping their clocks. */
export async function configureGates(database: Database, platforms: readonly PlatformLimits[]): Promise<void> {
  for (const platform of platforms.toSorted((a, b) => (a.code < b.code ? -1 : 1))) {
    await database.query(
      `insert into platforms (code, running_max, rate_interval, rate_burst, attempts_max, breaker_after)
       values ($1, $2, $3::float8 * interval '1 second', $4, $5, $6)
       on conflict (code) do update set running_max = excluded.running_max, rate_interval = excluded.rate_interval,
         rate_burst = excluded.rate_burst,
         -- Never more than one full burst ahead: what a slower rate used up would keep a faster one shut for as long.
         rate_tat = least(platforms.rate_tat, now() + excluded.rate_burst * coalesce(excluded.rate_interval, interval '0')),
         attempts_max = excluded.attempts_max, breaker_after = excluded.breaker_after`,
      [
        platform.code,
        platform.runningMax,
        platform.rate === null ? null : 1 / platform.rate.perSecond,
        platform.rate?.burst ?? 1,
        platform.attemptsMax,
        platform.breakerAfter,
      ],
    );
  }
}

/** What a node without a lease has to say of a platform is not heard. */
const leased = "exists (select from nodes n where n.id = $1 and n.lease_until > now())";

/** The platform asked for patience: nobody starts anything on it for so long. Never shortens an earlier hold. */
export async function holdPlatform(db: Queryable, nodeId: string, platform: string, forMs: number): Promise<void> {
  await db.query(
    `update platforms set held_until = greatest(held_until, now() + $3 * interval '1 millisecond')
     where code = $2 and ${leased}`,
    [nodeId, platform, forMs],
  );
}

/** The first pause of an opened breaker; it doubles with each opening, up to the last. */
export const breakerPauseFirstS = 5;
export const breakerPauseLastS = 300;

/**
 * Counts a failed ask of a platform; enough of them in a row open its breaker. Once it has opened only a probe's failure
 * opens it again, not those that were under way.
 */
export async function countFailure(db: Queryable, nodeId: string, platform: string, probe: boolean): Promise<void> {
  const opens =
    "breaker_after is not null and ($3::boolean or failures_in_row + 1 >= breaker_after and breaker_openings = 0)";
  await db.query(
    `update platforms set
       failures_in_row = failures_in_row + 1,
       breaker_open_until = case when ${opens}
         then now() + least($5, $4 * power(2, least(breaker_openings, 20))) * interval '1 second' else breaker_open_until end,
       breaker_openings = breaker_openings + case when ${opens} then 1 else 0 end
     where code = $2 and ${leased}`,
    [nodeId, platform, probe, breakerPauseFirstS, breakerPauseLastS],
  );
}

/** The platform answered: the breaker closes. */
export async function countSuccess(db: Queryable, nodeId: string, platform: string): Promise<void> {
  await db.query(
    `update platforms set failures_in_row = 0, breaker_openings = 0, breaker_open_until = null
     where code = $2 and (failures_in_row > 0 or breaker_openings > 0) and ${leased}`,
    [nodeId, platform],
  );
}
