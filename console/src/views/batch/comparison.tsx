import type { TaskRecord } from "@querent/client";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { go, to } from "../../app/address.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { StateMark } from "../../ui/state-mark.tsx";
import { number } from "../../ui/time.tsx";
import { batchesMessages } from "../../i18n/batches.ts";
import { AnswerText } from "../task/answer/answer-text.tsx";
import { took } from "../tasks/task-table.tsx";
import { columnOf, type BatchCell, type GridRow } from "./cell.ts";
import { SharedSources } from "./shared-sources.tsx";
import { useHighlight } from "./use-highlight.ts";
import * as css from "./comparison.module.css";

interface ComparisonProps {
  readonly path: string;
  readonly rows: readonly GridRow[];
  readonly platforms: readonly string[];
  /** The index in `rows`. */
  readonly at: number;
  /** Platforms left out, as the address has them. */
  readonly hidden: readonly string[];
  readonly brandText: string;
  readonly brands: readonly string[];
  /** Beside the choice of platforms. */
  readonly children: ComponentChildren;
}

/** The answers to one question side by side; the same platforms stay open as one goes from question to question. */
export function Comparison({ path, rows, platforms, at, hidden, brandText, brands, children }: ComparisonProps) {
  const t = batchesMessages.value;
  const row = rows[at];
  const address = (place: number, without = hidden) =>
    to(path, { row: String(place + 1), without: without.join(","), brands: brandText });
  const move = (by: 1 | -1) => {
    if (rows[at + by] !== undefined) go(address(at + by), { replace: true });
  };
  useShortcuts({ j: () => move(1), k: () => move(-1), u: () => go(to(path, { brands: brandText })) });
  if (row === undefined) return null;
  const asked = platforms.filter((platform) => row.cells.has(platform));
  const shown = asked.filter((platform) => !hidden.includes(platform));

  return (
    <section class={css.comparison} aria-label={t.compareTitle}>
      <div class={css.comparisonBar}>
        <a class="button" href={to(path, { brands: brandText })}>
          <Icon name="back" />
          {t.backToGrid}
        </a>
        <span class="quiet small">{t.place(number(at + 1), number(rows.length))}</span>
        <button type="button" class="button" aria-disabled={at === 0} onClick={() => move(-1)}>
          {t.previous} <kbd aria-hidden="true">k</kbd>
        </button>
        <button type="button" class="button" aria-disabled={at + 1 >= rows.length} onClick={() => move(1)}>
          {t.next} <kbd aria-hidden="true">j</kbd>
        </button>
      </div>
      <h1 class={css.comparisonQuestion} dir="auto">
        {row.question.slice(0, 2000).toWellFormed()}
      </h1>
      <div class={css.comparisonChoices}>
        {asked.length < 2 ? null : (
          <fieldset class={css.comparisonChoice}>
            <legend class="unseen">{t.shown}</legend>
            {asked.map((platform) => (
              <label key={platform} class="choice">
                <input
                  type="checkbox"
                  checked={!hidden.includes(platform)}
                  onChange={({ currentTarget }) =>
                    go(
                      address(
                        at,
                        currentTarget.checked ? hidden.filter((code) => code !== platform) : [...hidden, platform],
                      ),
                      { replace: true },
                    )
                  }
                />
                {platform}
              </label>
            ))}
          </fieldset>
        )}
        {children}
      </div>
      <Answers
        key={`${at} ${shown.join(",")}`}
        cells={shown.flatMap((platform) => row.cells.get(platform)?.at(-1) ?? [])}
        brands={brands}
      />
    </section>
  );
}

function Answers({ cells, brands }: { cells: readonly BatchCell[]; brands: readonly string[] }) {
  const columns = useRef<HTMLDivElement>(null);
  const { value, failed, refresh } = useLive<readonly TaskRecord[]>(
    cells.map(({ taskId, state }) => `${taskId} ${state}`).join(","),
    (call) => Promise.all(cells.map(({ taskId }) => querent.tasks.get(taskId, call))),
    { everyMs: null },
  );
  useHighlight(columns, brands, value);
  if (failed !== null) return <FailureNote failed={failed} retry={refresh} />;
  if (value === null) return null;
  return (
    <>
      <div class={css.columns} ref={columns}>
        {value.map((record) => (
          <AnswerColumn key={record.taskId} record={record} />
        ))}
      </div>
      <SharedSources records={value} />
    </>
  );
}

function AnswerColumn({ record }: { record: TaskRecord }) {
  const t = batchesMessages.value;
  return (
    <article class={css.column} aria-label={columnOf(record)}>
      <header class={css.columnHead}>
        <h2>
          <a href={to(`/tasks/${record.taskId}`)} title={t.openTask}>
            {columnOf(record)}
          </a>
        </h2>
        <StateMark state={record.state} progress={record.progress} />
        <span class="quiet small">{took(record)}</span>
      </header>
      {record.content === null ? (
        <p class="quiet">{record.failure?.message ?? (record.expired ? t.expired : t.noText)}</p>
      ) : (
        <div class={css.columnAnswer} tabIndex={0} role="group" aria-label={columnOf(record)}>
          <AnswerText record={record} />
        </div>
      )}
    </article>
  );
}
