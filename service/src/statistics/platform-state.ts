import type { PlatformRecord, PlatformState, Unavailability } from "@querent/contract";
import type { LimiterState } from "../dispatch/index.ts";

/** A platform is degraded if less than this share of its recent runs succeeded. */
const successRateMin = 0.9;

/** Recent observations of a platform. */
export interface PlatformSigns {
  /** Why its tasks are refused; null: they are accepted. */
  readonly unavailable: Unavailability | null;
  readonly limiter: LimiterState | undefined;
  readonly recent: PlatformRecord["health"]["recent"];
}

/** Whether a platform answers, from the engine's own times and from the outcomes of its last runs. Pure. */
export function stateOf({ unavailable, limiter, recent }: PlatformSigns): PlatformState {
  if (unavailable !== null) return unavailable.code === "browser_unavailable" ? "no_browser" : "not_configured";
  if (limiter?.paused === true) return "paused";
  if (limiter?.unasked === true) return "no_worker";
  const failing = (limiter?.failingSince ?? null) !== null;
  const noneSucceeded = recent.successRate === null || recent.successRate === 0;
  if (limiter?.probing === true || (failing && noneSucceeded)) return "failing";
  if ((limiter?.throttledUntil ?? null) !== null) return "throttled";
  // Failures that are not the platform's fault, such as refused answers, are not an outage, but a platform with many is
  // degraded.
  if (failing || (recent.successRate !== null && recent.successRate < successRateMin)) return "degraded";
  return "ready";
}

/** The part of a platform's record that describes its current state. */
export type LiveState = Pick<
  PlatformRecord,
  "state" | "failingSince" | "lastFailure" | "breakerOpenUntil" | "throttledSince" | "throttledUntil" | "nextTryAt"
>;

export function liveState(signs: PlatformSigns): LiveState {
  const { limiter } = signs;
  const breakerOpenUntil = limiter?.breakerOpenUntil?.toISOString() ?? null;
  const throttledUntil = limiter?.throttledUntil?.toISOString() ?? null;
  const lastFailure = limiter?.lastFailure ?? null;
  return {
    state: stateOf(signs),
    failingSince: limiter?.failingSince?.toISOString() ?? null,
    lastFailure:
      lastFailure === null
        ? null
        : {
            code: lastFailure.code,
            message: lastFailure.message,
            at: new Date(lastFailure.at).toISOString(),
            platformStatus: lastFailure.platformStatus,
          },
    breakerOpenUntil,
    throttledSince: limiter?.throttledSince?.toISOString() ?? null,
    throttledUntil,
    nextTryAt:
      [breakerOpenUntil, throttledUntil]
        .filter((time) => time !== null)
        .sort()
        .at(-1) ?? null,
  };
}
