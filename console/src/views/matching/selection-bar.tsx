import { useEffect, useState } from "preact/hooks";
import { Allowed } from "../../app/allowed.tsx";
import { ExportButtons } from "../../export/export-buttons.tsx";
import { summaries } from "../../export/record-columns.ts";
import { Icon } from "../../ui/icon.tsx";
import { number } from "../../ui/time.tsx";
import { matchingMessages } from "../../i18n/matching.ts";
import { AskMatching } from "./ask-matching.tsx";
import { CancelMatching } from "./cancel-matching.tsx";
import { tasksOf, type Chosen } from "./walk.ts";
import * as css from "./selection-bar.module.css";

export interface SelectionBarProps {
  readonly chosen: Chosen;
  /** Selects all that the filter finds; null where that is no more than what is selected. */
  readonly chooseAll: (() => void) | null;
  readonly clear: () => void;
}

type Way = "cancel" | "again";

interface Opened {
  readonly name: Way;
  readonly chosen: Chosen;
  readonly key: string;
  readonly began: boolean;
}

/** What may be done with the tasks that are selected. */
export function SelectionBar({ chosen, chooseAll, clear }: SelectionBarProps) {
  const t = matchingMessages.value;
  const key = chosen.kind === "matching" ? "matching" : chosen.tasks.map(({ taskId }) => taskId).join();
  const [opened, setOpened] = useState<Opened | null>(null);
  // What was counted or priced for another selection is closed, unless it has begun: that goes on with the tasks it began with.
  const way = opened !== null && (opened.began || opened.key === key) ? opened : null;
  useEffect(() => setOpened((now) => (now === null || now.began || now.key === key ? now : null)), [key]);
  const open = (name: Way) => setOpened(way?.name === name ? null : { name, chosen, key, began: false });
  const begin = () => setOpened((now) => now && { ...now, began: true });
  const title =
    chosen.kind === "tasks"
      ? t.selected(number(chosen.tasks.length), chosen.tasks.length)
      : chosen.filter === ""
        ? t.allTasks
        : t.allMatching;
  return (
    <section class={css.selectionBar} aria-label={t.title}>
      <div class={css.selectionLine}>
        <p>
          <strong>{title}</strong>
          {chosen.kind === "matching" && chosen.filter !== "" ? (
            <>
              {" "}
              <code dir="auto">{chosen.filter}</code>
            </>
          ) : null}
          {chooseAll === null || chosen.kind === "matching" ? null : (
            <>
              {" "}
              <button type="button" class="plain link" onClick={chooseAll}>
                {t.selectMatching}
              </button>
            </>
          )}
        </p>
        <div class="actions">
          <ExportButtons name="tasks" rows={(signal) => tasksOf(chosen, signal)} columns={summaries} />
          <Allowed scope="tasks:write">
            <button
              type="button"
              class="button danger"
              aria-expanded={way?.name === "cancel"}
              onClick={() => open("cancel")}
            >
              {t.cancelTitle}
            </button>
            <button type="button" class="button" aria-expanded={way?.name === "again"} onClick={() => open("again")}>
              <Icon name="repeat" />
              {t.againTitle}
            </button>
          </Allowed>
          <button type="button" class="button ghost icon-only" aria-label={t.clear} title={t.clear} onClick={clear}>
            <Icon name="cross" />
          </button>
        </div>
      </div>
      {way === null ? null : way.name === "cancel" ? (
        <CancelMatching key={way.key} chosen={way.chosen} begin={begin} close={() => setOpened(null)} />
      ) : (
        <AskMatching key={way.key} chosen={way.chosen} begin={begin} />
      )}
    </section>
  );
}
