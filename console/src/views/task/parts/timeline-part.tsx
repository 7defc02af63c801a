import type { TaskAttempt, TaskAttempts, TaskRecord, TaskWait } from "@querent/client";
import { querent } from "../../../api/querent.ts";
import { useLive } from "../../../api/use-live.ts";
import { FailureNote } from "../../../ui/failure-note.tsx";
import { duration, fullTime, now, number } from "../../../ui/time.tsx";
import { taskMessages } from "../../../i18n/task.ts";
import * as css from "./timeline-part.module.css";

const refreshMs = 2000;

/** What happened when: the times of the record, every attempt with its outcome, and every wait with its reason. */
export function TimelinePart({ record }: { record: TaskRecord }) {
  const t = taskMessages.value;
  const { taskId, state, revision } = record;
  const { value, failed, refresh } = useLive<TaskAttempts>(
    `attempts ${taskId} ${state} ${revision}`,
    (call) => querent.tasks.attempts(taskId, call),
    { everyMs: state === "pending" ? refreshMs : null },
  );
  const events = eventsOf(record, value);
  const isCut = value !== null && value.attemptCount !== null && value.attemptCount > value.attempts.length;
  return (
    <section class="panel">
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {isCut ? (
        <p class="quiet small">{t.attemptsKept(number(value.attempts.length), number(value.attemptCount ?? 0))}</p>
      ) : null}
      <ol class={css.timeline} data-timeline>
        {events.map((event, index) => (
          <li key={event.key} data-kind={event.kind}>
            <span class={css.timelineName}>{nameOf(event)}</span>
            <time dateTime={event.at} class="quiet">
              {fullTime(event.at)}
            </time>
            <Detail event={event} before={events[index - 1]} />
          </li>
        ))}
      </ol>
    </section>
  );
}

type MomentName = "created" | "started" | "observed" | "completed" | "canceled" | "expires";

/** Something with a start, and an end unless it still goes on. */
type Event = { readonly key: string; readonly at: string; readonly until: string | null } & (
  | { readonly kind: "moment"; readonly name: MomentName }
  | { readonly kind: "wait"; readonly wait: TaskWait }
  | { readonly kind: "attempt"; readonly attempt: TaskAttempt }
);

function nameOf(event: Event): string {
  const t = taskMessages.value;
  if (event.kind === "moment") return t.timeline[event.name];
  if (event.kind === "attempt") return t.attempt(event.attempt.attempt);
  return event.until === null ? t.waits : t.wait;
}

function Detail({ event, before }: { event: Event; before: Event | undefined }) {
  const t = taskMessages.value;
  if (event.kind === "moment") {
    const gapMs = before === undefined ? 0 : Date.parse(event.at) - Date.parse(before.until ?? before.at);
    return gapMs > 0 ? <span class={css.timelineGap}>{t.later(duration(gapMs))}</span> : null;
  }
  const end = event.until === null ? now.value : Date.parse(event.until);
  const took = duration(Math.max(0, end - Date.parse(event.at)));
  if (event.kind === "wait")
    return <span class={css.timelineGap}>{`${t.waitReasons[event.wait.reason]} · ${took}`}</span>;
  const { outcome, code, message, platformStatus, probe } = event.attempt;
  return (
    <span class={css.timelineGap}>
      {[
        outcome === null ? t.underWay : t.outcomes[outcome],
        took,
        ...(code === null ? [] : [code]),
        ...(platformStatus === null ? [] : [`HTTP ${platformStatus}`]),
        ...(probe ? [t.probe] : []),
        ...(message === null ? [] : [message]),
      ].join(" · ")}
    </span>
  );
}

function eventsOf(record: TaskRecord, known: TaskAttempts | null): Event[] {
  const attempts = known?.attempts ?? [];
  return [
    // The start of the first attempt stands for itself.
    ...momentsOf(record).filter(({ name }) => name !== "started" || attempts[0]?.attempt !== 1),
    ...(known?.waits ?? []).map((wait) => {
      const { from: at, until } = wait;
      return { kind: "wait", key: `wait ${at}`, at, until, wait } as const;
    }),
    ...attempts.map((attempt) => {
      const { startedAt: at, endedAt: until } = attempt;
      return { kind: "attempt", key: `attempt ${attempt.attempt}`, at, until, attempt } as const;
    }),
  ].sort((one, other) => startOf(one) - startOf(other) || endOf(one) - endOf(other));
}

const startOf = ({ at }: Event) => Date.parse(at);
const endOf = ({ until }: Event) => (until === null ? Infinity : Date.parse(until));

function momentsOf(record: TaskRecord) {
  const times: Record<MomentName, string | null> = {
    created: record.createdAt,
    started: record.startedAt,
    observed: record.observedAt,
    completed: record.completedAt,
    canceled: record.canceledAt,
    expires: record.expiresAt,
  };
  const moments = Object.entries(times) as [MomentName, string | null][];
  return moments.flatMap(([name, at]) =>
    at === null ? [] : [{ kind: "moment", key: name, name, at, until: at } as const],
  );
}
