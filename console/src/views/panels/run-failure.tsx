import { ForbiddenError, type PanelRun, type TaskSummary } from "@querent/client";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { to } from "../../app/address.ts";
import { runFailureMessages } from "../../i18n/run-failure.ts";
import { taskMessages } from "../../i18n/task.ts";
import { number } from "../../ui/time.tsx";

/** The run if nothing came of it: it was refused, or all of its tasks have failed. */
export function failedRunOf(run: PanelRun | null | undefined): PanelRun | null {
  if (run === null || run === undefined) return null;
  if (run.state === "refused") return run;
  const { completed, failed, pending } = countsOf(run);
  return run.state === "started" && failed > 0 && completed === 0 && pending === 0 ? run : null;
}

export function countsOf({ batches }: PanelRun): { completed: number; failed: number; pending: number } {
  const sum = { completed: 0, failed: 0, pending: 0 };
  for (const { counts } of batches) {
    sum.completed += counts.completed;
    sum.failed += counts.failed;
    sum.pending += counts.pending;
  }
  return sum;
}

/** That nothing came of a run, and why: in the words of the service about one of its tasks. */
export function RunFailure({ run }: { run: PanelRun }) {
  const t = runFailureMessages.value;
  const batchId = run.batches.find(({ counts }) => counts.failed > 0)?.batchId;
  const { value } = useLive(`failure of ${run.runId}`, (call) => readFailure(batchId, call), { everyMs: null });
  const failure = value?.failure ?? null;
  return (
    <div class="note note-bad" role="note" data-run-failure>
      <p>
        <strong>{run.state === "refused" ? t.refused : t.all(number(countsOf(run).failed))}</strong>
      </p>
      {run.problem === null ? null : <p lang="en">{run.problem.detail}</p>}
      {failure === null ? null : (
        <p>
          {value?.platformCode}: <span lang="en">{failure.message}</span> <code>{failure.code}</code>{" "}
          {taskMessages.value.advice[failure.code]}
        </p>
      )}
      {batchId === undefined ? null : (
        <p class="option-line">
          <a class="link" href={to("/tasks", { q: `batch:${batchId} state:failed` })}>
            {t.tasks}
          </a>
          <a class="link" href={to("/platforms")}>
            {t.platforms}
          </a>
        </p>
      )}
    </div>
  );
}

async function readFailure(batchId: string | undefined, call: object): Promise<TaskSummary | null> {
  if (batchId === undefined) return null;
  try {
    for await (const task of querent.tasks.list({ batchId, state: "failed" }, call)) return task;
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
  }
  return null;
}
