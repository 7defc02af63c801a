/**
 * Named places where it matters who comes first. In production nothing happens there: `racePoint` returns at once. A test
 * holds whoever comes by, and so forces the interleaving that a lucky timing would hide.
 */
export type RacePoint =
  | "submit.key_claimed"
  | "submit.before_hold"
  | "claim.limiter_locked"
  | "claim.committed"
  | "finish.before_fence"
  | "finish.fenced"
  | "finish.committed"
  | "cancel.dequeued"
  | "end.before_points"
  | "end.numbered"
  | "reparse.begun"
  | "reparse.stored"
  | "reparse.announced"
  | "reap.nodes_locked";

/** `who` is the node, or the account, that came by. */
export type AtRacePoint = (point: RacePoint, who: string) => Promise<void> | void;

let hold: AtRacePoint | null = null;

export function racePoint(point: RacePoint, who: string): Promise<void> | void {
  return hold?.(point, who);
}

/** For tests: what is done with whoever comes to a race point; null for nothing. */
export function atRacePoints(next: AtRacePoint | null): void {
  hold = next;
}
