import type { PlatformRecord, PlatformState, Unavailability } from "@querent/contract";
import type { LimiterState } from "../dispatch/index.ts";

/** A platform of which less than this share succeeded lately is degraded. */
const successRateMin = 0.9;

/** What is known of a platform's last minutes. */
export interface PlatformSigns {
  /** Why its tasks are refused; null: they are accepted. */
  readonly unavailable: Unavailability | null;
  readonly gate: LimiterState | undefined;
  readonly recent: PlatformRecord["health"]["recent"];
}

/** Whether a platform answers, from the engine's own clocks and from how its last asks ended. Pure. */
export function stateOf({ unavailable, gate, recent }: PlatformSigns): PlatformState {
  if (unavailable !== null) return unavailable.code === "browser_unavailable" ? "no_browser" : "not_configured";
  if (gate?.paused === true) return "paused";
  const failing = (gate?.failingSince ?? null) !== null;
  const noneSucceeded = recent.successRate === null || recent.successRate === 0;
  if (gate?.probing === true || (failing && noneSucceeded)) return "failing";
  if ((gate?.throttledUntil ?? null) !== null) return "throttled";
  // What did not fail by the platform's own fault, such as answers that it refused, is no outage; but it is not well either.
  if (failing || (recent.successRate !== null && recent.successRate < successRateMin)) return "degraded";
  return "ready";
}

/** The part of a platform's record that tells how it does now. */
export type LiveState = Pick<
  PlatformRecord,
  "state" | "failingSince" | "lastFailure" | "breakerOpenUntil" | "throttledSince" | "throttledUntil" | "nextTryAt"
>;

export function liveState(signs: PlatformSigns): LiveState {
  const { gate } = signs;
  const breakerOpenUntil = gate?.breakerOpenUntil?.toISOString() ?? null;
  const throttledUntil = gate?.throttledUntil?.toISOString() ?? null;
  const lastFailure = gate?.lastFailure ?? null;
  return {
    state: stateOf(signs),
    failingSince: gate?.failingSince?.toISOString() ?? null,
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
    throttledSince: gate?.throttledSince?.toISOString() ?? null,
    throttledUntil,
    nextTryAt:
      [breakerOpenUntil, throttledUntil]
        .filter((time) => time !== null)
        .sort()
        .at(-1) ?? null,
  };
}
