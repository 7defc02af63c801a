import { printableLine } from "./printable.js";
export const waitReasons = {
  queued: "waiting for its turn",
  not_before: "scheduled for later",
  retry: "waiting to retry after a failed attempt",
  throttled: "the platform is rate limiting requests",
  breaker_open: "the platform keeps failing, so no requests are sent for a while",
  paused: "the operator has paused the platform; tasks wait until it is resumed",
  no_worker: "no running worker can ask the platform; tasks wait for one that can",
};
/** Reason, last failure and time of the next attempt, in one line. Null while the task is running. */
export function waitText({ reason, lastFailure, nextAttemptAt }, now = Date.now()) {
  if (reason === null) return null;
  const failure =
    lastFailure === null ? "" : ` (${lastFailure.code}: ${printableLine(lastFailure.message).replace(/\.$/, "")})`;
  const what =
    reason === "retry" && lastFailure !== null
      ? `attempt ${lastFailure.attempt} failed${failure}`
      : `${waitReasons[reason] ?? printableLine(reason)}${failure}`;
  return nextAttemptAt === null ? what : `${what}; next attempt ${inText(Date.parse(nextAttemptAt) - now)}`;
}
const inText = (ms) => (ms < 1000 ? "now" : `in ${spanText(ms)}`);
function spanText(ms) {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60).toLocaleString("en")} h ${minutes % 60} min`;
}
/** The attempts and waits of a task, in chronological order. */
export function attemptLines({ attempts, waits, attemptCount, expired }, now = Date.now()) {
  if (expired) return ["The result and its attempts have expired."];
  const rows = [
    ...waits.map(({ reason, from, until }) => ({
      from,
      until,
      text: `${until === null ? "waiting" : "waited"}  ${waitReasons[reason] ?? printableLine(reason)}`,
    })),
    ...attempts.map((attempt) => ({
      from: attempt.startedAt,
      until: attempt.endedAt,
      text: `attempt ${attempt.attempt}  ${outcomeText(attempt)}`,
    })),
  ].sort((one, other) => compare(one.from, other.from) || compare(one.until ?? "~", other.until ?? "~"));
  const kept = attempts.length;
  return [
    ...(attemptCount !== null && attemptCount > kept
      ? [`The last ${kept} of ${attemptCount} attempts are stored.`]
      : []),
    ...rows.map(({ from, until, text }) => {
      const ms = (until === null ? now : Date.parse(until)) - Date.parse(from);
      return `${from}  ${spanText(Math.max(0, ms)).padStart(11)}  ${text}`;
    }),
  ];
}
function outcomeText({ outcome, code, message, platformStatus, probe }) {
  return [
    outcome?.replace("_", " ") ?? "running",
    ...(code === null ? [] : [code]),
    ...(platformStatus === null ? [] : [`HTTP ${platformStatus}`]),
    ...(probe ? ["probe"] : []),
    ...(message === null ? [] : [printableLine(message)]),
  ].join(", ");
}
/** Times in the same format sort as text. */
const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
