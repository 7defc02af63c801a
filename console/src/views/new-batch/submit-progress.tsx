import { to } from "../../app/address.ts";
import { number } from "../../ui/time.tsx";
import { newBatchMessages } from "../../i18n/new-batch.ts";
import type { StoredPlan } from "./plan-store.ts";
import * as css from "./submit-progress.module.css";

export function SubmitProgress({ plan }: { plan: StoredPlan }) {
  const t = newBatchMessages.value;
  const done = plan.batchIds.length;
  return (
    <div class="progress" role="status">
      <progress max={plan.partCount} value={done} aria-label={t.progress(done, plan.partCount)} />
      <span class="quiet small">{t.progress(done, plan.partCount)}</span>
    </div>
  );
}

/** The number of batches that one view can show together. */
const togetherMax = 20;

export function Submitted({ plan }: { plan: StoredPlan }) {
  const t = newBatchMessages.value;
  return (
    <div class="note note-good" role="status">
      <strong>{t.accepted(number(plan.itemCount))}</strong>
      <ul class={css.batchLinks}>
        {plan.batchIds.length > 1 && plan.batchIds.length <= togetherMax ? (
          <li>
            <a href={to(`/batches/${plan.batchIds.join(",")}`)}>{t.watch}</a>
          </li>
        ) : null}
        {plan.batchIds.map((batchId, index) => (
          <li key={batchId}>
            <a href={to(`/batches/${batchId}`)}>{plan.batchIds.length === 1 ? t.watch : t.watchPart(index + 1)}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
