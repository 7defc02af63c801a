import type { Transaction } from "../../db/index.ts";
import { PollLoop } from "../../runtime/poll-loop.ts";
import type { Service } from "../../runtime/service.ts";
import { evaluatePanel, type EvaluationDeps } from "./evaluate-panel.ts";
import { forgetDue, storeEvaluation, takeDue, type TakenPanel } from "./evaluations.ts";
import type { Found } from "./found-changes.ts";

export interface ChangeWatcherDeps extends EvaluationDeps {
  /** Announces what was found, in the transaction that stores it. */
  readonly announce: (tx: Transaction, accountId: string, found: Found) => Promise<void>;
  readonly onTaken: (panel: TakenPanel) => void;
  readonly onFound: (panel: { accountId: string; panelId: string }, found: Found) => void;
  readonly onFault: (error: unknown) => void;
}

/** Judges panels after their runs. Any number of processes may do so: each change is stored and announced once. */
export function changeWatcher(deps: ChangeWatcherDeps): Service {
  return new PollLoop({
    everyMs: 1000,
    jitter: 0.1,
    onFault: deps.onFault,
    async look() {
      const taken = await takeDue(deps.database);
      if (taken === null) return undefined;
      deps.onTaken(taken);
      await judgePanel(deps, taken);
      return 0;
    },
  });
}

/** If it fails, the panel is due again when the time has passed for which it was taken. */
export async function judgePanel(deps: ChangeWatcherDeps, taken: TakenPanel): Promise<void> {
  const evaluation = await evaluatePanel(deps, taken);
  if (evaluation === null) return forgetDue(deps.database, taken);
  const announced = await storeEvaluation(deps.database, taken, evaluation, (tx, found) =>
    deps.announce(tx, taken.accountId, found),
  );
  for (const found of announced) deps.onFound(taken, found);
}
