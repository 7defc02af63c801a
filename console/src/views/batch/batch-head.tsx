import { QuerentError, type BatchRecord } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { Allowed } from "../../app/allowed.tsx";
import { to } from "../../app/address.ts";
import { ExportButtons } from "../../export/export-buttons.tsx";
import { records } from "../../export/record-columns.ts";
import { ConfirmButtons } from "../../ui/confirm-buttons.tsx";
import { announce } from "../../ui/announcer.tsx";
import { BatchProgress } from "../../ui/batch-progress.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Ago, number } from "../../ui/time.tsx";
import { useRetries } from "../../ui/use-retries.ts";
import { batchesMessages } from "../../i18n/batches.ts";
import { endOf } from "../batches/end-of.ts";
import { RetryFailed } from "../matching/retry-failed.tsx";
import * as css from "./batch-head.module.css";

interface BatchHeadProps {
  readonly batches: readonly BatchRecord[];
  readonly changed: () => void;
}

/** What the batch asks, how far it is, and what may be done about it. */
export function BatchHead({ batches, changed }: BatchHeadProps) {
  const t = batchesMessages.value;
  const [first] = batches;
  const all = together(batches);
  // Parts of one submission are many requests; each part has its own page.
  const isOne = batches.length === 1 && first !== undefined;
  const retries = useRetries(first?.batchId ?? null, !isOne || all.counts.pending <= all.running);
  if (first === undefined) return null;
  async function* results(signal: AbortSignal) {
    for (const { batchId } of batches) yield* querent.batches.results(batchId, { signal });
  }
  return (
    <header class={css.batchHead}>
      <div class={css.batchTitle}>
        <h1 dir="auto">{first.firstQuestion}</h1>
        <p class="quiet">
          {all.taskCount === 1 ? "" : `${t.more(number(all.taskCount - 1))} · `}
          {batches.length === 1 ? "" : `${t.parts(batches.length)} · `}
          {all.platformCodes.join(", ")}
        </p>
      </div>
      <div class="actions">
        {batches.length === 1 ? (
          <a class="button" href={to("/tasks", { q: `batch:${first.batchId}` })}>
            <Icon name="tasks" />
            {t.inTasks}
          </a>
        ) : null}
        <ExportButtons name={`batch-${first.batchId}`} rows={results} columns={records} />
        <Allowed scope="tasks:write">
          {isOne && all.counts.failed > 0 ? <RetryFailed batchId={first.batchId} failed={all.counts.failed} /> : null}
          {all.counts.pending === 0 ? null : (
            <CancelRest batches={batches} pending={all.counts.pending} changed={changed} />
          )}
        </Allowed>
      </div>
      <BatchProgress batch={all} retries={retries.get(first.batchId) ?? null} />
      <dl class="facts">
        <div>
          <dt>{t.columns.asked}</dt>
          <dd>
            <Ago at={first.createdAt} />
          </dd>
        </div>
        <div>
          <dt>{t.columns.ends}</dt>
          <dd>{endOf(all)}</dd>
        </div>
        <div>
          <dt>{t.columns.points}</dt>
          <dd>{t.charged(number(all.charged), number(all.estimated))}</dd>
        </div>
      </dl>
    </header>
  );
}

/** Several batches as one. */
function together(batches: readonly BatchRecord[]) {
  const sum = (of: (batch: BatchRecord) => number) => batches.reduce((total, batch) => total + of(batch), 0);
  const etas = batches.filter(({ state }) => state === "pending").map(({ etaAt }) => etaAt);
  const isFinished = batches.every(({ state }) => state === "finished");
  return {
    taskCount: sum(({ taskCount }) => taskCount),
    running: sum(({ running }) => running),
    counts: {
      pending: sum(({ counts }) => counts.pending),
      completed: sum(({ counts }) => counts.completed),
      failed: sum(({ counts }) => counts.failed),
      canceled: sum(({ counts }) => counts.canceled),
    },
    charged: sum(({ points }) => points.charged),
    estimated: sum(({ points }) => points.estimated),
    platformCodes: [...new Set(batches.flatMap(({ platformCodes }) => platformCodes))].sort(),
    state: isFinished ? ("finished" as const) : ("pending" as const),
    etaAt: etas.reduce(
      (latest, eta) => (latest === null || eta === null || eta > latest ? eta : latest),
      etas[0] ?? null,
    ),
  };
}

interface CancelRestProps extends BatchHeadProps {
  readonly pending: number;
}

/** Cancels unfinished tasks, after a confirmation. */
function CancelRest({ batches, pending, changed }: CancelRestProps) {
  const t = batchesMessages.value;
  const [asked, setAsked] = useState(false);
  const [failed, setFailed] = useState<QuerentError | null>(null);
  const cancel = async () => {
    setAsked(false);
    setFailed(null);
    try {
      let canceled = 0;
      for (const { batchId } of batches) canceled += (await querent.batches.cancel(batchId)).canceledCount;
      announce(t.canceled(number(canceled)));
      changed();
    } catch (error) {
      if (!(error instanceof QuerentError)) throw error;
      setFailed(error);
    }
  };
  if (!asked) {
    return (
      <>
        <button type="button" class="button danger" onClick={() => setAsked(true)}>
          <Icon name="cross" />
          {t.cancel}
        </button>
        {failed === null ? null : <FailureNote failed={failed} />}
      </>
    );
  }
  return (
    <div class="note note-warn" role="alertdialog" aria-label={t.cancel}>
      <p>{t.cancelSure(number(pending))}</p>
      <div class="actions">
        <ConfirmButtons
          yes={t.cancelYes}
          confirm={() => void cancel()}
          no={t.cancelNo}
          withdraw={() => setAsked(false)}
        />
      </div>
    </div>
  );
}
