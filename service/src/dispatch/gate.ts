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
         rate_burst = excluded.rate_burst, attempts_max = excluded.attempts_max, breaker_after = excluded.breaker_after`,
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

/** The platform asked for patience: nobody starts anything on it for so long. Never shortens an earlier hold. */
export async function holdPlatform(db: Queryable, platform: string, forMs: number): Promise<void> {
  await db.query(
    "update platforms set held_until = greatest(held_until, now() + $2 * interval '1 millisecond') where code = $1",
    [platform, forMs],
  );
}

/** The first pause of an opened breaker; it doubles with each opening, up to the last. */
const breakerPauseFirstS = 5;
const breakerPauseLastS = 300;

/** Counts failed asks of a platform; enough of them in a row open its breaker. */
export async function countFailures(db: Queryable, platform: string, failures: number): Promise<void> {
  await db.query(
    `update platforms set
       failures_in_row = failures_in_row + $2,
       breaker_open_until = case when breaker_after is not null and failures_in_row + $2 >= breaker_after
         then now() + least($4, $3 * power(2, least(breaker_openings, 20))) * interval '1 second' else breaker_open_until end,
       breaker_openings = breaker_openings
         + case when breaker_after is not null and failures_in_row + $2 >= breaker_after then 1 else 0 end
     where code = $1`,
    [platform, failures, breakerPauseFirstS, breakerPauseLastS],
  );
}

/** The platform answered: the breaker closes. */
export async function countSuccess(db: Queryable, platform: string): Promise<void> {
  await db.query(
    `update platforms set failures_in_row = 0, breaker_openings = 0, breaker_open_until = null
     where code = $1 and (failures_in_row > 0 or breaker_openings > 0)`,
    [platform],
  );
}
