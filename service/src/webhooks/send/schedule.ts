/** Decides when a delivery is retried, and when it is not. Pure: time and randomness are parameters. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delay before each attempt: 14 attempts over about 72 hours. */
export const attemptDelaysMs: readonly number[] = [
  0,
  5 * second,
  20 * second,
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  16 * hour,
  20 * hour,
  20 * hour,
];
export const attemptsMax = attemptDelaysMs.length;
const retryAfterMsMax = 6 * hour;

/** The reply to an attempt, as far as the schedule needs it. */
export interface AttemptReply {
  /** The status of the response; null if there was none. */
  status: number | null;
  retryAfterMs: number | null;
}

export type NextStep = { state: "delivered" } | { state: "failed" } | { state: "pending"; delayMs: number };

/** `attempts`: the number of attempts including this one. `random`: from 0 up to 1; jitter only adds, up to a tenth. */
export function nextStep(attempts: number, reply: AttemptReply, random: number): NextStep {
  if (reply.status !== null && reply.status >= 200 && reply.status < 300) return { state: "delivered" };
  if (reply.status === 410) return { state: "failed" };
  const base = attemptDelaysMs[attempts];
  if (base === undefined) return { state: "failed" };
  const wait = base * (1 + random / 10);
  const asked = reply.status === 429 || reply.status === 503 ? (reply.retryAfterMs ?? 0) : 0;
  return { state: "pending", delayMs: Math.round(Math.max(wait, Math.min(asked, retryAfterMsMax))) };
}
