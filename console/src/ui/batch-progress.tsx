import type { BatchRecord, Progress } from "@querent/client";
import { batchesMessages } from "../i18n/batches.ts";
import { distance, now, number } from "./time.tsx";
import type { Retries } from "./use-retries.ts";
import * as css from "./batch-progress.module.css";

type Standing = Pick<BatchRecord, "taskCount" | "counts" | "running">;

const ends = ["completed", "failed", "canceled"] as const;

/** The progress of a batch, as a bar of outcomes and in words. Tasks waiting for a retry are distinguished from tasks not yet tried. */
export function BatchProgress({ batch, retries = null }: { batch: Standing; retries?: Retries | null }) {
  const t = batchesMessages.value;
  const { counts, taskCount, running } = batch;
  const ended = taskCount - counts.pending;
  const waiting = Math.min(retries?.waiting ?? 0, counts.pending - running);
  const queued = counts.pending - running - waiting;
  return (
    <div class="batch-progress">
      <div
        class={css.batchBar}
        role="progressbar"
        aria-valuemin={0}
        aria-valuemax={taskCount}
        aria-valuenow={ended}
        aria-label={t.ended(number(ended), number(taskCount))}
      >
        {ends.map((end) =>
          counts[end] === 0 ? null : (
            <span key={end} class={css[`batch-bar-${end}`]} style={{ flexGrow: counts[end] / taskCount }} />
          ),
        )}
        {waiting <= 0 ? null : <span class={css["batch-bar-retry"]} style={{ flexGrow: waiting / taskCount }} />}
        {counts.pending - waiting <= 0 ? null : (
          <span class={css["batch-bar-rest"]} style={{ flexGrow: (counts.pending - waiting) / taskCount }} />
        )}
      </div>
      <ul class={css.batchCounts}>
        {ends.map((end) =>
          counts[end] === 0 ? null : (
            <li key={end} class={css[`batch-count-${end}`]}>
              {t.counts[end](number(counts[end]))}
            </li>
          ),
        )}
        {running === 0 ? null : <li class={css["batch-count-running"]}>{t.counts.running(number(running))}</li>}
        {waiting <= 0 || retries === null ? null : (
          <li class={css["batch-count-retry"]} data-count="retry">
            {t.counts.retrying(`${number(waiting)}${retries.isPart ? "+" : ""}`)}
            {retries.nextAt === null
              ? ""
              : ` · ${t.nextRetry(distance(Math.max(1000, Date.parse(retries.nextAt) - now.value)))}`}
            {whyRetried(retries.newest)}
          </li>
        )}
        {queued <= 0 ? null : (
          <li>
            {t.counts.pending(number(queued))}
            {retries === null || retries.blockedBy === null ? "" : ` · ${t.blocked[retries.blockedBy]}`}
          </li>
        )}
      </ul>
    </div>
  );
}

/** Why the task's next attempt has not started, or else why its last attempt failed. */
function whyRetried(progress: Progress | null): string {
  const { reason = null, lastFailure = null } = progress ?? {};
  const { blocked } = batchesMessages.value;
  if (reason === "throttled" || reason === "breaker_open" || reason === "paused" || reason === "no_worker")
    return ` · ${blocked[reason]}`;
  return lastFailure === null ? "" : ` · ${lastFailure.code}`;
}
