import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { go, query, to } from "../../app/address.ts";
import { shownProject } from "../../app/projects.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { Icon } from "../../ui/icon.tsx";
import { phrases } from "../../i18n/phrases.ts";
import { tasksMessages } from "../../i18n/tasks.ts";
import { FilterBar } from "./filter-bar.tsx";
import { readFilter, withFilter } from "./read-filter.ts";
import { TaskList } from "./task-list.tsx";
import { taskStates } from "./task-states.ts";
import { useTitle } from "../../ui/use-title.ts";
import * as css from "./tasks-view.module.css";

const tagsKeptMax = 200;

/** The account's tasks: the filter, and what it finds. */
export function TasksView() {
  const t = tasksMessages.value;
  const filter = query.value.get("q") ?? "";
  const [isDraft, setDraft] = useState(false);
  const [paused, setPaused] = useState(false);
  const [failing, setFailing] = useState(false);
  const togglePaused = () => setPaused(!paused);
  useShortcuts({ p: togglePaused });
  const { query: filters, faults } = readFilter(filter);
  const project = shownProject();
  const wanted = project === undefined ? filters : { ...filters, project };
  const platforms = useLive("platforms", (call) => querent.platforms.list(call), { everyMs: null }).value ?? [];
  // Tags seen earlier are kept: a half-written tag matches no task, and would otherwise lose its own completion.
  const [tags, setTags] = useState<readonly string[]>([]);
  const seeTags = (seen: readonly string[]) => setTags((before) => mergeTags(before, seen));

  useTitle(t.title);
  const setFilter = (text: string) => go(to("/tasks", { q: text }), { replace: true });
  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.title}</h1>
        <LiveButton state={paused ? "paused" : failing ? "stale" : "live"} toggle={togglePaused} />
      </header>
      <FilterBar text={filter} platforms={platforms} tags={tags} onChange={setFilter} onDraft={setDraft} />
      <StateLinks filter={filter} state={wanted.state ?? null} />
      {faults.length === 0 ? (
        <TaskList
          key={`${filter} ${project ?? ""} ${query.value.get("cursor") ?? ""}`}
          filter={filter}
          wanted={wanted}
          paused={paused}
          mayAct={!isDraft}
          clear={() => setFilter("")}
          seeTags={seeTags}
          onFailing={setFailing}
        />
      ) : (
        <div class="empty">
          <h2>{t.faultyTitle}</h2>
          <p class="quiet">{t.faultyText}</p>
          <button type="button" class="button" onClick={() => setFilter("")}>
            {t.clear}
          </button>
        </div>
      )}
    </div>
  );
}

/** "Live" only while the list is being read: not while the service does not answer. */
function LiveButton({ state, toggle }: { state: "live" | "stale" | "paused"; toggle: () => void }) {
  const t = tasksMessages.value;
  const paused = state === "paused";
  return (
    <button
      type="button"
      class={`button ${css.live}`}
      aria-pressed={paused}
      aria-label={paused ? t.resume : t.pause}
      title={paused ? t.resume : t.pause}
      onClick={toggle}
    >
      <span class={css.liveDot} data-state={state} aria-hidden="true" />
      {t[state]}
      <Icon name={paused ? "play" : "pause"} />
    </button>
  );
}

/** The same list when nothing is new, so that it is not drawn again. */
function mergeTags(before: readonly string[], seen: readonly string[]): readonly string[] {
  const all = [...new Set([...seen, ...before])].slice(0, tagsKeptMax).sort();
  return all.length === before.length ? before : all;
}

/** The most common filter, as a link. */
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
            {choice === null ? tasksMessages.value.all : phrases.value.taskStates[choice]}
          </a>
        </li>
      ))}
    </ul>
  );
}
