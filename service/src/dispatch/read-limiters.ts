import type { FailureCode } from "@querent/contract";
import type { Queryable } from "../db/index.ts";

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
