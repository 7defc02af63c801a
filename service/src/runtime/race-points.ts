/**
 * Named points where the order of concurrent operations matters. In production `racePoint` returns immediately. A test stops
 * whatever reaches a point, and so forces interleavings that otherwise occur rarely.
 */
export type RacePoint =
  | "submit.key_claimed"
  | "submit.before_hold"
  | "claim.limiter_locked"
  | "claim.committed"
  | "account_queues.locked"
  | "account_queues.cleared"
  | "delivery_turns.locked"
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

/** `who` is the node, or the account, that reached the point. */
export type AtRacePoint = (point: RacePoint, who: string) => Promise<void> | void;

let hold: AtRacePoint | null = null;

export function racePoint(point: RacePoint, who: string): Promise<void> | void {
  return hold?.(point, who);
}

/** Sets the function that tests have called at race points; null for none. */
export function atRacePoints(next: AtRacePoint | null): void {
  hold = next;
}
