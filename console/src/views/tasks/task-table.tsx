import type { TaskSummary } from "@querent/client";
import { query, to } from "../../app/address.ts";
import { StateMark } from "../../ui/state-mark.tsx";
import { Ago, duration, number } from "../../ui/time.tsx";
import { tasksMessages } from "../../i18n/tasks.ts";
import { withFilter } from "./read-filter.ts";
import type { TaskSelection } from "./use-selection.ts";
import { localeLabel } from "../task/locale-label.ts";
import * as css from "./task-table.module.css";

/** Longer questions are cut here, and shown whole with their task: 50 of 10,000 characters would be a page of half a megabyte. */
const questionCharsMax = 300;
/** The number of tags that fit beside a question. */
const tagsMax = 3;

interface TaskTableProps {
  readonly tasks: readonly TaskSummary[];
  readonly selection: TaskSelection;
}

export function TaskTable({ tasks, selection }: TaskTableProps) {
  const { columns: t, selectPage } = tasksMessages.value;
  const isSome = !selection.isPageChosen && tasks.some(({ taskId }) => selection.isChosen(taskId));
  return (
    <table class={css.tasks}>
      <thead>
        <tr>
          <td class={css.taskCheck}>
            <input
              type="checkbox"
              class={css.check}
              aria-label={selectPage}
              title={selectPage}
              checked={selection.isPageChosen}
              indeterminate={isSome}
              onChange={selection.togglePage}
            />
          </td>
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
        {tasks.map((task, index) => (
          <TaskRow
            key={task.taskId}
            task={task}
            isChosen={selection.isChosen(task.taskId)}
            toggle={(isRange) => selection.toggle(index, isRange)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface TaskRowProps {
  readonly task: TaskSummary;
  readonly isChosen: boolean;
  readonly toggle: (isRange: boolean) => void;
}

function TaskRow({ task, isChosen, toggle }: TaskRowProps) {
  const filter = query.value.get("q") ?? "";
  const t = tasksMessages.value;
  return (
    <tr class={isChosen ? `${css.taskRow} ${css.chosen}` : css.taskRow} data-state={task.state}>
      <td class={css.taskCheck}>
        <input
          type="checkbox"
          class={css.check}
          aria-label={t.select(task.question.slice(0, 80))}
          checked={isChosen}
          onClick={(event) => toggle(event.shiftKey)}
        />
      </td>
      <td class={css.taskState}>
        <StateMark state={task.state} progress={task.progress} />
      </td>
      <td class={css.taskQuestion}>
        <div class={css.taskLine}>
          <a data-task={task.taskId} href={to(`/tasks/${task.taskId}`, { q: filter })} dir="auto">
            {task.question.slice(0, questionCharsMax)}
          </a>
          {task.failure === null ? null : (
            <span class={css.taskFailure} title={task.failure.message}>
              {task.failure.code}
            </span>
          )}
          {task.clientReference === null ? null : (
            <bdi class={css.taskReference} title={`${t.reference}: ${task.clientReference}`}>
              {task.clientReference}
            </bdi>
          )}
          <LocaleMark options={task.options} />
          {task.tags.slice(0, tagsMax).map((tag) => (
            <a key={tag} class="tag" href={to("/tasks", { q: withFilter(filter, "tag", tag) })}>
              <bdi>{tag}</bdi>
            </a>
          ))}
          {task.tags.length <= tagsMax ? null : (
            <span class="quiet small" title={task.tags.slice(tagsMax).join(", ")}>
              +{number(task.tags.length - tagsMax)}
            </span>
          )}
        </div>
      </td>
      <td class={css.taskPlatform}>{task.platformCode}</td>
      <td class={`${css.taskCreated} quiet`}>
        <Ago at={task.createdAt} />
      </td>
      <td class="figure quiet">{took(task) ?? "–"}</td>
      <td class="figure">{task.state === "completed" ? number(task.chargedPoints) : <span class="quiet">–</span>}</td>
    </tr>
  );
}

function LocaleMark({ options }: Pick<TaskSummary, "options">) {
  const label = localeLabel(options);
  return label === "" ? null : (
    <bdi class="quiet small" data-locale>
      {label}
    </bdi>
  );
}

/** How long the attempt that ended the task ran: what the platform took, without the queue and the waits between attempts. */
export function took({ durationMs }: TaskSummary): string | null {
  return durationMs === null ? null : duration(durationMs);
}
