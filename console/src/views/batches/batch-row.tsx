import type { BatchRecord } from "@querent/client";
import { to } from "../../app/address.ts";
import { BatchProgress } from "../../ui/batch-progress.tsx";
import { Ago, number } from "../../ui/time.tsx";
import type { Retries } from "../../ui/use-retries.ts";
import { batchesMessages } from "../../i18n/batches.ts";
import { RetryFailed } from "../matching/retry-failed.tsx";
import { endOf } from "./end-of.ts";
import * as css from "./batches-view.module.css";

/** A batch of the list: what it asked, how far it is, and what it costs. */
export function BatchRow({ batch, retries }: { batch: BatchRecord; retries: Retries | null }) {
  const t = batchesMessages.value;
  return (
    <li class={css.batchRow} data-batch={batch.batchId}>
      <div class={css.batchWhat}>
        <a
          data-task={batch.batchId}
          class={`batch-link ${css.oneLine}`}
          href={to(`/batches/${batch.batchId}`)}
          title={batch.firstQuestion}
          dir="auto"
        >
          {batch.firstQuestion}
        </a>
        <p class="quiet small">
          {batch.taskCount === 1 ? "" : `${t.more(number(batch.taskCount - 1))} · `}
          {batch.platformCodes.join(", ")} · <Ago at={batch.createdAt} />
        </p>
      </div>
      <BatchProgress batch={batch} retries={retries} />
      <div class={css.batchAct}>
        {batch.counts.failed === 0 ? null : <RetryFailed batchId={batch.batchId} failed={batch.counts.failed} />}
      </div>
      <div class={css.batchEnd}>
        <span>{endOf(batch)}</span>
        <span class="quiet small">{t.charged(number(batch.points.charged), number(batch.points.estimated))}</span>
      </div>
    </li>
  );
}
