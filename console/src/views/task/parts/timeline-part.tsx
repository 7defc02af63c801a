import type { TaskRecord } from "@querent/client";
import { duration, fullTime } from "../../../ui/time.tsx";
import { taskWords } from "../../../words/task.ts";

/** What happened when, and how long lay between. */
export function TimelinePart({ record }: { record: TaskRecord }) {
  const t = taskWords.value;
  const moments = momentsOf(record);
  return (
    <section class="panel">
      <ol class="timeline">
        {moments.map(({ name, at }, index) => {
          const before = moments[index - 1];
          return (
            <li key={name}>
              <span class="timeline-name">{t.timeline[name]}</span>
              <time dateTime={at} class="quiet">
                {fullTime(at)}
              </time>
              {before === undefined ? null : (
                <span class="timeline-gap">{t.later(duration(Date.parse(at) - Date.parse(before.at)))}</span>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

type MomentName = "created" | "started" | "observed" | "completed" | "canceled" | "expires";

function momentsOf(record: TaskRecord): { name: MomentName; at: string }[] {
  const times: Record<MomentName, string | null> = {
    created: record.createdAt,
    started: record.startedAt,
    observed: record.observedAt,
    completed: record.completedAt,
    canceled: record.canceledAt,
    expires: record.expiresAt,
  };
  const moments = Object.entries(times) as [MomentName, string | null][];
  return moments
    .flatMap(([name, at]) => (at === null ? [] : [{ name, at }]))
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
