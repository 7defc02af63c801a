import type { BatchPage, BatchRecord } from "@querent/client";
import { useEffect } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { query, to } from "../../app/address.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { BatchProgress } from "../../ui/batch-progress.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Ago, distance, now, number } from "../../ui/time.tsx";
import { batchesWords } from "../../words/batches.ts";
import { moveSelection } from "../tasks/move-selection.ts";

const refreshMs = 3000;
const pageSize = 25;

/** The account's submissions, newest first, and how far each is. */
export function BatchesView() {
  const t = batchesWords.value;
  const cursor = query.value.get("cursor") ?? undefined;
  const { value, failed, refresh } = useLive<BatchPage>(
    cursor ?? "newest",
    (call) => querent.batches.page({ limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }, call),
    { everyMs: refreshMs },
  );
  useEffect(() => {
    document.title = `${t.title} · Querent`;
  }, [t]);
  useShortcuts({ j: () => moveSelection(1), k: () => moveSelection(-1) });

  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.title}</h1>
      </header>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : value.batches.length === 0 && cursor === undefined ? (
        <div class="empty">
          <h2>{t.emptyTitle}</h2>
          <p class="quiet">{t.emptyText}</p>
          <a class="button primary" href={to("/ask")}>
            {t.ask}
          </a>
        </div>
      ) : (
        <ul class="batch-list">
          {value.batches.map((batch) => (
            <BatchRow key={batch.batchId} batch={batch} />
          ))}
        </ul>
      )}
      {value === null ? null : (
        <footer class="pager">
          <span />
          {cursor === undefined ? null : (
            <a class="button" href={to("/batches")}>
              <Icon name="back" />
              {t.newest}
            </a>
          )}
          {value.nextCursor === null ? null : (
            <a class="button" href={to("/batches", { cursor: value.nextCursor })}>
              {t.older}
              <Icon name="forward" />
            </a>
          )}
        </footer>
      )}
    </div>
  );
}

function BatchRow({ batch }: { batch: BatchRecord }) {
  const t = batchesWords.value;
  return (
    <li class="batch-row">
      <div class="batch-what">
        <a data-task={batch.batchId} class="batch-link" href={to(`/batches/${batch.batchId}`)} dir="auto">
          {batch.firstQuestion}
        </a>
        <p class="quiet small">
          {batch.taskCount === 1 ? "" : `${t.more(number(batch.taskCount - 1))} · `}
          {batch.platformCodes.join(", ")} · <Ago at={batch.createdAt} />
        </p>
      </div>
      <BatchProgress batch={batch} />
      <div class="batch-end">
        <span>{endOf(batch)}</span>
        <span class="quiet small">
          {t.columns.points} {t.charged(number(batch.points.charged), number(batch.points.estimated))}
        </span>
      </div>
    </li>
  );
}

/** When it ended, or is to end. */
export function endOf({ state, etaAt }: Pick<BatchRecord, "state" | "etaAt">): string {
  const t = batchesWords.value;
  if (state === "finished") return t.finished;
  return etaAt === null ? t.noPace : t.endsAt(distance(Math.max(1000, Date.parse(etaAt) - now.value)));
}
