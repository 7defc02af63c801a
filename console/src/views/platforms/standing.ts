import type { PlatformRecord, QueueRecord } from "@querent/client";

/** How a platform does, from the worst to the best. */
export type StandingKind =
  | "not_configured"
  | "no_browser"
  | "stopped"
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

/** What newer services add to the record. */
interface Additions {
  /** Why tasks for it are refused at present. */
  readonly unavailable?: Unavailability | null;
  readonly unavailableOutputs?: readonly Unavailability[];
}

interface Unavailability {
  readonly code: string;
  readonly detail: string;
}

export type LivePlatform = PlatformRecord & Additions;

/** Below it, so few answers come that the platform has to be called failing. */
const failingBelow = 0.5;
const degradedBelow = 0.9;
/** One failure among so few is no outage. */
const finishedMin = 3;

/**
 * How a platform does, by what happened lately: that it is configured says only that it may be asked. The queue says more, to those
 * who may see it.
 */
export function standingOf(platform: LivePlatform, queue: QueueRecord | null = null): Standing {
  const { configured, health, unavailable } = platform;
  const at = (kind: StandingKind, until: string | null = null, detail: string | null = null) => ({
    kind,
    until,
    detail,
  });
  if (unavailable?.code === "browser_unavailable") return at("no_browser", null, unavailable.detail);
  if (!configured) return at("not_configured", null, unavailable?.detail ?? null);
  if (queue?.limits.runningMax === 0) return at("stopped");
  if (queue !== null && queue.breaker.openUntil !== null) return at("breaker_open", queue.breaker.openUntil);
  if (queue !== null && queue.heldUntil !== null) return at("throttled", queue.heldUntil);
  if (health.finished === 0 || health.successRate === null) return at("idle");
  if (health.successRate < failingBelow && health.finished >= finishedMin) return at("failing");
  return at(health.successRate < degradedBelow ? "degraded" : "healthy");
}

export const tones: Readonly<Record<StandingKind, "good" | "warn" | "bad" | "none">> = {
  not_configured: "none",
  no_browser: "bad",
  stopped: "warn",
  breaker_open: "bad",
  failing: "bad",
  throttled: "warn",
  degraded: "warn",
  idle: "none",
  healthy: "good",
};

/** Platforms that people ask and that bring back too little, or nothing. */
export const isFailing = ({ kind }: Standing): boolean => tones[kind] === "bad";
