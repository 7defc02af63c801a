import type { TaskFilters, TaskPage } from "@querent/client";
import { useEffect, useState } from "preact/hooks";
import { useLive } from "../../api/use-live.ts";
import { query, to } from "../../app/address.ts";
import { session } from "../../app/session.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Pager } from "../../ui/pager.tsx";
import { useLater } from "../../ui/use-later.tsx";
import { tasksMessages } from "../../i18n/tasks.ts";
import { firstCommand } from "../first-command.ts";
import { rememberList } from "./last-list.ts";
import { moveSelection } from "./move-selection.ts";
import { readPage } from "./read-page.ts";
import { TaskTable } from "./task-table.tsx";
import { useSelection } from "./use-selection.ts";
import * as css from "./task-list.module.css";

const refreshMs = 2000;
const pageSize = 50;

interface TaskListProps {
  readonly filter: string;
  /** The filter as the service takes it. */
  readonly wanted: TaskFilters;
  readonly paused: boolean;
  /** False while the filter field holds a change that is not applied yet. */
  readonly mayAct: boolean;
  readonly clear: () => void;
  readonly seeTags: (tags: readonly string[]) => void;
  /** Told whether the last read failed. */
  readonly onFailing: (failing: boolean) => void;
}

// Fetched separately, because it is larger than the list itself.
const loadSelectionBar = () => import("../matching/selection-bar.tsx").then(({ SelectionBar }) => SelectionBar);

/** The tasks that match a filter, one page at a time, so that the page stays current and memory bounded. */
export function TaskList({ filter, wanted, paused, mayAct, clear, seeTags, onFailing }: TaskListProps) {
  const t = tasksMessages.value;
  const cursor = query.value.get("cursor") ?? undefined;
  const [looked, setLooked] = useState(0);
  const { value, failed, refresh } = useLive<TaskPage>(
    JSON.stringify([wanted, cursor ?? null]),
    (call, before) => readPage({ query: wanted, cursor, limit: pageSize, call, before, onLook: setLooked }),
    { everyMs: refreshMs, paused },
  );
  const tasks = value?.tasks ?? [];
  const selection = useSelection(tasks);
  useShortcuts({
    j: () => moveSelection(1),
    k: () => moveSelection(-1),
    x: () => {
      const focused = document.activeElement?.getAttribute("data-task");
      const at = tasks.findIndex(({ taskId }) => taskId === focused);
      if (at !== -1) selection.toggle(at);
    },
    Escape: selection.clear,
  });
  const Bar = useLater(selection.chosen === null ? null : loadSelectionBar);
  if (value !== null) rememberList(tasks.map(({ taskId }) => taskId));
  useEffect(() => seeTags(tasks.flatMap((task) => task.tags)), [value]);
  useEffect(() => {
    onFailing(failed !== null);
    return () => onFailing(false);
  }, [failed]);
  const isWhole = cursor === undefined && value?.nextCursor === null;

  return (
    <>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? (
        failed === null && (
          <>
            <p class="quiet small" role="status">
              {looked === 0 ? "" : t.looking(looked)}
            </p>
            <Loading />
          </>
        )
      ) : tasks.length > 0 ? (
        <TaskTable tasks={tasks} selection={selection} />
      ) : filter === "" && cursor === undefined ? (
        <NothingAsked />
      ) : (
        <div class="empty">
          <h2>{t.noneTitle}</h2>
          <p class="quiet">{t.noneText}</p>
          <button type="button" class="button" onClick={clear}>
            {t.clear}
          </button>
        </div>
      )}
      {value === null ? null : (
        <Pager
          newest={cursor === undefined ? undefined : to("/tasks", { q: filter })}
          older={value.nextCursor === null ? undefined : to("/tasks", { q: filter, cursor: value.nextCursor })}
          words={t}
        >
          <span class="quiet small">{tasks.length === 0 ? "" : t.onPage(tasks.length)}</span>
        </Pager>
      )}
      {Bar === null || selection.chosen === null || !mayAct ? null : (
        <Bar
          chosen={selection.chosen === "matching" ? { kind: "matching", query: wanted, filter } : selection.chosen}
          chooseAll={isWhole || !selection.isPageChosen ? null : selection.chooseMatching}
          clear={selection.clear}
        />
      )}
    </>
  );
}

function Loading() {
  return (
    <div class={css.bones} aria-hidden="true">
      {Array.from({ length: 12 }, (_, index) => (
        <div key={index} class={css.bone} />
      ))}
    </div>
  );
}

function NothingAsked() {
  const t = tasksMessages.value;
  return (
    <div class="empty">
      <h2>{t.emptyTitle}</h2>
      <p class="quiet">{t.emptyText}</p>
      <pre class="command" tabIndex={0}>
        {firstCommand("$TOKEN")}
      </pre>
      <CopyButton text={() => firstCommand(session.value?.token ?? "$TOKEN")} label={t.copyCurl} />
    </div>
  );
}
