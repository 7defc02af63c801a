/** Which session the next run uses: the one that was used longest ago, of those that can be used now. Pure. */
export interface AccountTurnLimits {
  /** Runs that hold it at once. */
  readonly runningMax?: number;
  readonly perMinute?: number;
  readonly perHour?: number;
}

export interface Candidate {
  readonly name: string;
  readonly signedOut: boolean;
  readonly throttledMs: number;
  readonly running: number;
  /** How long ago the runs of the last hour began, the latest first. */
  readonly startedMsAgo: readonly number[];
}

export type PickedSession =
  | { readonly kind: "use"; readonly name: string }
  /** All are busy or limited; one can be used after `waitMs`. `busy`: as soon as a run ends. */
  | { readonly kind: "wait"; readonly waitMs: number; readonly busy: boolean }
  | { readonly kind: "signed_out" };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export function chooseSession(
  candidates: readonly Candidate[],
  limitsOf: (name: string) => AccountTurnLimits,
): PickedSession {
  const live = candidates.filter(({ signedOut }) => !signedOut);
  const waits = live.map((one) => ({ ...one, ...waitOf(one, limitsOf(one.name)) }));
  const ready = waits.filter(({ waitMs, busy }) => waitMs === 0 && !busy);
  const longestAgo = ready.toSorted(
    (one, other) =>
      (other.startedMsAgo[0] ?? Infinity) - (one.startedMsAgo[0] ?? Infinity) || one.running - other.running,
  )[0];
  if (longestAgo !== undefined) return { kind: "use", name: longestAgo.name };
  if (waits.length === 0) return { kind: "signed_out" };
  return {
    kind: "wait",
    waitMs: Math.min(...waits.map(({ waitMs }) => waitMs)),
    busy: waits.some(({ waitMs, busy }) => busy && waitMs === 0),
  };
}

function waitOf({ throttledMs, running, startedMsAgo }: Candidate, limits: AccountTurnLimits) {
  const { runningMax = Infinity, perMinute, perHour } = limits;
  return {
    busy: running >= runningMax,
    waitMs: Math.max(throttledMs, windowMs(startedMsAgo, perMinute, minuteMs), windowMs(startedMsAgo, perHour, hourMs)),
  };
}

/** Until fewer than `max` of the starts are within the window. */
function windowMs(startedMsAgo: readonly number[], max: number | undefined, lengthMs: number): number {
  const nth = max === undefined ? undefined : startedMsAgo[max - 1];
  return nth === undefined ? 0 : Math.max(0, Math.ceil(lengthMs - nth));
}
