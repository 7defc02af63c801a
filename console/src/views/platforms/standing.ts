import type { PlatformRecord } from "@querent/client";

/** The standing of a platform: its state, with the reasons for not asking distinguished, and `idle` when nothing was asked recently. */
export type StandingKind =
  | "not_configured"
  | "no_browser"
  | "no_worker"
  | "paused"
  | "breaker_open"
  | "failing"
  | "throttled"
  | "degraded"
  | "idle"
  | "healthy";

export interface Standing {
  readonly kind: StandingKind;
  /** When it is tried again, where that is known. */
  readonly until: string | null;
  /** What it lacks, in the service's words. */
  readonly detail: string | null;
}

/** How a platform stands, by the service's own judgement: that it is configured says only that it may be asked. */
export function standingOf({
  state,
  unavailable,
  breakerOpenUntil,
  throttledUntil,
  health,
}: Pick<PlatformRecord, "state" | "unavailable" | "breakerOpenUntil" | "throttledUntil" | "health">): Standing {
  // What one lacks that is not configured stands beside it, with the command that sets it up.
  const detail = unavailable?.code === "browser_unavailable" ? unavailable.detail : null;
  switch (state) {
    case "ready":
      return { kind: health.finished === 0 ? "idle" : "healthy", until: null, detail };
    case "failing":
      return { kind: breakerOpenUntil === null ? "failing" : "breaker_open", until: breakerOpenUntil, detail };
    case "throttled":
      return { kind: "throttled", until: throttledUntil, detail };
    default:
      return { kind: state, until: null, detail };
  }
}

export const tones: Readonly<Record<StandingKind, "good" | "warn" | "bad" | "none">> = {
  not_configured: "none",
  no_browser: "bad",
  no_worker: "bad",
  paused: "warn",
  breaker_open: "bad",
  failing: "bad",
  throttled: "warn",
  degraded: "warn",
  idle: "none",
  healthy: "good",
};

/** Platforms that people ask and that bring back too little, or nothing. */
export const isFailing = ({ kind }: Standing): boolean => tones[kind] === "bad";
