import { evaluatePanel, type EvaluationDeps } from "./evaluate-panel.ts";
import { storeEvaluation } from "./evaluations.ts";

/** Judges a panel for the first time, and announces nothing of what was found. */
export async function judgeUnannounced(
  deps: EvaluationDeps,
  { accountId, panelId }: { readonly accountId: string; readonly panelId: string },
): Promise<void> {
  // Locks: the new row, which is not due, so no other process takes it.
  await deps.database.query(
    "insert into panel_evaluations (account_id, panel_id, due_at) values ($1, $2, null) on conflict do nothing",
    [accountId, panelId],
  );
  const taken = { accountId, panelId, evaluatedAt: null, driftDays: {}, waitedSeconds: 0, takenUntil: "infinity" };
  const evaluation = await evaluatePanel(deps, taken);
  if (evaluation !== null) await storeEvaluation(deps.database, taken, evaluation, async () => undefined);
}
