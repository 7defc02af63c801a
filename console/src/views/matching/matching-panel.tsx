import type { TaskFilters } from "@querent/client";
import { querent } from "../../api/querent.ts";
import { ExportButtons } from "../../export/export-buttons.tsx";
import { summaries } from "../../export/record-columns.ts";
import { Icon } from "../../ui/icon.tsx";
import { matchingWords } from "../../words/matching.ts";
import { AskMatching } from "./ask-matching.tsx";
import { CancelMatching } from "./cancel-matching.tsx";
import { walkPageSize } from "./walk.ts";

export interface MatchingPanelProps {
  readonly query: TaskFilters;
  /** As it is written. */
  readonly filter: string;
  readonly close: () => void;
}

/** What may be done with every task that the filter finds, page by page through the API. */
export function MatchingPanel({ query, filter, close }: MatchingPanelProps) {
  const t = matchingWords.value;
  return (
    <section class="panel matching" aria-label={t.title}>
      <div class="panel-head">
        <h2>
          {filter === "" ? (
            t.allTasks
          ) : (
            <>
              {t.title}: <code dir="auto">{filter}</code>
            </>
          )}
        </h2>
        <button type="button" class="button ghost icon-only" aria-label={t.close} onClick={close}>
          <Icon name="cross" />
        </button>
      </div>
      <p class="quiet">{t.text}</p>
      <div class="matching-ways">
        <div class="matching-way">
          <h3>{t.exportTitle}</h3>
          <p class="quiet small">{t.exportText}</p>
          <div class="actions">
            <ExportButtons
              name="tasks"
              rows={(signal) => querent.tasks.list({ ...query, limit: walkPageSize }, { signal })}
              columns={summaries}
            />
          </div>
        </div>
        <CancelMatching query={query} />
        <AskMatching query={query} />
      </div>
    </section>
  );
}
