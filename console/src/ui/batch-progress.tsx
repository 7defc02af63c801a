import type { BatchRecord } from "@querent/client";
import { batchesWords } from "../words/batches.ts";
import { number } from "./time.tsx";

type Standing = Pick<BatchRecord, "taskCount" | "counts" | "running">;

const ends = ["completed", "failed", "canceled"] as const;

/** How far a batch is: one bar of its ends, and the same in words. */
export function BatchProgress({ batch }: { batch: Standing }) {
  const t = batchesWords.value;
  const { counts, taskCount, running } = batch;
  const ended = taskCount - counts.pending;
  return (
    <div class="batch-progress">
      <div
        class="batch-bar"
        role="progressbar"
        aria-valuemin={0}
        aria-valuemax={taskCount}
        aria-valuenow={ended}
        aria-label={t.ended(number(ended), number(taskCount))}
      >
        {ends.map((end) =>
          counts[end] === 0 ? null : (
            <span key={end} class={`batch-bar-${end}`} style={{ flexGrow: counts[end] / taskCount }} />
          ),
        )}
        {counts.pending === 0 ? null : <span class="batch-bar-rest" style={{ flexGrow: counts.pending / taskCount }} />}
      </div>
      <ul class="batch-counts">
        {ends.map((end) =>
          counts[end] === 0 ? null : (
            <li key={end} class={`batch-count batch-count-${end}`}>
              {t.counts[end](number(counts[end]))}
            </li>
          ),
        )}
        {running === 0 ? null : <li class="batch-count batch-count-running">{t.counts.running(number(running))}</li>}
        {counts.pending - running <= 0 ? null : (
          <li class="batch-count">{t.counts.pending(number(counts.pending - running))}</li>
        )}
      </ul>
    </div>
  );
}
