import type { TaskSummary } from "@querent/client";
import { query, to } from "../../app/address.ts";
import { StateMark } from "../../ui/state-mark.tsx";
import { Ago, duration, now, number } from "../../ui/time.tsx";
import { tasksWords } from "../../words/tasks.ts";
import { withFilter } from "./read-filter.ts";

/** Longer questions are cut here, and shown whole with their task: 50 of 10,000 characters would be a page of half a megabyte. */
const questionCharsMax = 300;

export function TaskTable({ tasks }: { tasks: readonly TaskSummary[] }) {
  const t = tasksWords.value.columns;
  return (
    <table class="tasks">
      <thead>
        <tr>
          <th scope="col">{t.state}</th>
          <th scope="col">{t.question}</th>
          <th scope="col">{t.platform}</th>
          <th scope="col">{t.created}</th>
          <th scope="col" class="figure">
            {t.took}
          </th>
          <th scope="col" class="figure">
            {t.points}
          </th>
        </tr>
      </thead>
      <tbody>
        {tasks.map((task) => (
          <TaskRow key={task.taskId} task={task} />
        ))}
      </tbody>
    </table>
  );
}

function TaskRow({ task }: { task: TaskSummary }) {
  const filter = query.value.get("q") ?? "";
  return (
    <tr class={`task-row of-${task.state}`}>
      <td class="task-state">
        <StateMark state={task.state} progress={task.progress} />
      </td>
      <td class="task-question">
        <a data-task={task.taskId} href={to(`/tasks/${task.taskId}`, { q: filter })} dir="auto">
          {task.question.slice(0, questionCharsMax)}
        </a>
        {task.failure === null ? null : (
          <span class="task-failure" title={task.failure.message}>
            {task.failure.code}
          </span>
        )}
        {task.clientReference === null && task.tags.length === 0 ? null : (
          <span class="task-marks">
            {task.clientReference === null ? null : (
              <bdi class="mono quiet small" title={tasksWords.value.reference}>
                {task.clientReference}
              </bdi>
            )}
            {task.tags.map((tag) => (
              <a key={tag} class="tag" href={to("/tasks", { q: withFilter(filter, "tag", tag) })}>
                <bdi>{tag}</bdi>
              </a>
            ))}
          </span>
        )}
      </td>
      <td class="task-platform">{task.platformCode}</td>
      <td class="task-created quiet">
        <Ago at={task.createdAt} />
      </td>
      <td class="figure quiet">{took(task)}</td>
      <td class="figure">{task.state === "completed" ? number(task.chargedPoints) : <span class="quiet">–</span>}</td>
    </tr>
  );
}

/** From acceptance to the end, or until now. */
export function took({ createdAt, completedAt, canceledAt }: TaskSummary): string {
  const end = completedAt ?? canceledAt;
  return duration(Math.max(0, (end === null ? now.value : Date.parse(end)) - Date.parse(createdAt)));
}
