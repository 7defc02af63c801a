import type { TaskPage } from "@querent/client";
import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { go, query, to } from "../../app/address.ts";
import { session } from "../../app/session.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { phrases } from "../../words/phrases.ts";
import { tasksWords } from "../../words/tasks.ts";
import type { MatchingPanelProps } from "../matching/matching-panel.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { rememberList } from "./last-list.ts";
import { moveSelection } from "./move-selection.ts";
import { readPage } from "./read-page.ts";
import { readFilter, withFilter } from "./read-filter.ts";
import { TaskTable } from "./task-table.tsx";
import { taskStates } from "./task-states.ts";
import { firstCommand } from "../first-command.ts";

const refreshMs = 2000;
const pageSize = 50;
const tagsKeptMax = 200;

/** The account's tasks, one page at a time: what is on the page stays right, and memory stays what it is. */
export function TasksView() {
  const t = tasksWords.value;
  const filter = query.value.get("q") ?? "";
  const cursor = query.value.get("cursor") ?? undefined;
  const [paused, setPaused] = useState(false);
  const [looked, setLooked] = useState(0);
  const [matching, setMatching] = useState<ComponentType<MatchingPanelProps> | null>(null);
  const { query: wanted, faults } = readFilter(filter);
  const key = JSON.stringify([wanted, cursor ?? null]);
  const { value, failed, refresh } = useLive<TaskPage>(
    key,
    (call, before) => readPage({ query: wanted, cursor, limit: pageSize, call, before, onLook: setLooked }),
    { everyMs: refreshMs, paused },
  );
  const platforms = useLive("platforms", (call) => querent.platforms.list(call), { everyMs: null }).value ?? [];

  useEffect(() => {
    document.title = `${t.title} · Querent`;
  }, [t]);
  useShortcuts({
    j: () => moveSelection(1),
    k: () => moveSelection(-1),
    p: () => setPaused(!paused),
  });

  // With its parts it is heavier than the list, and rarely wanted.
  const openMatching = async () => {
    const { MatchingPanel } = await import("../matching/matching-panel.tsx");
    setMatching(() => MatchingPanel);
  };
  const Matching = matching;
  const setFilter = (text: string) => go(to("/tasks", { q: text }), { replace: true });
  const tasks = value?.tasks ?? [];
  if (value !== null) rememberList(tasks.map(({ taskId }) => taskId));
  // Those seen before too: a tag that is half written filters everything away, and would take its own completion with it.
  const seen = useRef<readonly string[]>([]);
  seen.current = [...new Set([...tasks.flatMap((task) => task.tags), ...seen.current])].slice(0, tagsKeptMax);
  const tags = seen.current.toSorted();

  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.title}</h1>
        <div class="actions">
          <button
            type="button"
            class="button"
            aria-expanded={matching !== null}
            onClick={() => void (matching === null ? openMatching() : setMatching(null))}
          >
            {t.matching}
          </button>
          <button
            type="button"
            class="button live"
            aria-pressed={paused}
            aria-label={paused ? t.resume : t.pause}
            title={paused ? t.resume : t.pause}
            onClick={() => setPaused(!paused)}
          >
            <span class={paused ? "live-dot" : "live-dot on"} aria-hidden="true" />
            {paused ? t.paused : t.live}
            <Icon name={paused ? "play" : "pause"} />
          </button>
        </div>
      </header>
      <FilterBar text={filter} faults={faults} platforms={platforms} tags={tags} onChange={setFilter} />
      <StateLinks filter={filter} state={wanted.state ?? null} />
      {Matching === null ? null : (
        <Matching key={filter} query={wanted} filter={filter} close={() => setMatching(null)} />
      )}
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
        <TaskTable tasks={tasks} />
      ) : filter === "" && cursor === undefined ? (
        <NothingAsked />
      ) : (
        <div class="empty">
          <h2>{t.noneTitle}</h2>
          <p class="quiet">{t.noneText}</p>
          <button type="button" class="button" onClick={() => setFilter("")}>
            {t.clear}
          </button>
        </div>
      )}
      {value === null ? null : (
        <footer class="pager">
          <span class="quiet small">{tasks.length === 0 ? "" : t.onPage(tasks.length)}</span>
          {cursor === undefined ? null : (
            <a class="button" href={to("/tasks", { q: filter })}>
              <Icon name="back" />
              {t.newest}
            </a>
          )}
          {value.nextCursor === null ? null : (
            <a class="button" href={to("/tasks", { q: filter, cursor: value.nextCursor })}>
              {t.older}
              <Icon name="forward" />
            </a>
          )}
        </footer>
      )}
    </div>
  );
}

/** The filter that most want, a click away. */
function StateLinks({ filter, state }: { filter: string; state: string | null }) {
  return (
    <ul class="segments state-links">
      {[null, ...taskStates].map((choice) => (
        <li key={choice ?? "all"}>
          <a
            class="segment"
            aria-current={state === choice ? "true" : undefined}
            href={to("/tasks", { q: withFilter(filter, "state", choice) })}
          >
            {choice === null ? tasksWords.value.all : phrases.value.taskStates[choice]}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Loading() {
  return (
    <div class="bones" aria-hidden="true">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} class="bone" />
      ))}
    </div>
  );
}

function NothingAsked() {
  const t = tasksWords.value;
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
