import { rowsAs, type Transaction, type Database } from "../../db/index.ts";
import { newId } from "../../kernel/ids.ts";
import { noteAudit, nothingToRecord } from "../../runtime/audited.ts";
import {
  acceptItems,
  announceTasks,
  untilRefused,
  withinPoints,
  type AcceptedBatch,
  type ItemRules,
} from "../../tasks/index.ts";
import { pricePanel, type PricedPanel } from "../definitions/price-panel.ts";
import { fixBrands } from "../definitions/panel-brands.ts";
import { pointsOf, type RunItem, type StoredWaves } from "../definitions/waves.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { getPanel } from "../definitions/panels.ts";
import { refusal } from "../definitions/read-panel.ts";

/** A run: of which panel, at whose request or for which time of the schedule. */
export interface RunOrigin {
  readonly accountId: string;
  readonly panelId: string;
  /** That of the panel. */
  readonly projectId: string;
  readonly revision: number;
  /** The time of the schedule; null for a run that was requested. */
  readonly slot: Date | null;
  /** The idempotency key of the request. Null: the schedule starts it. */
  readonly requestKey: string | null;
  readonly tokenId: string | null;
  readonly traceParent: string | null;
  readonly now: Date;
}

export interface RunProblem {
  readonly code: string;
  readonly detail: string;
}

interface RunOutcome {
  readonly state: "started" | "refused" | "missed";
  readonly batchIds?: readonly string[];
  readonly cellCount?: number;
  readonly taskCount?: number;
  readonly points?: number;
  readonly problem?: RunProblem;
  readonly waves?: StoredWaves | null;
}

/**
 * Starts a run in the caller's transaction: its row, its batches with their tasks, the cell of each task, and the held points. The
 * uniqueness of the row's slot, or key, is what makes it happen once. Null: there is a run for it already, and nothing was written.
 */
export async function startRun(
  tx: Transaction,
  origin: RunOrigin,
  { cellCount, items, waves }: Pick<PricedPanel, "cellCount" | "items" | "waves">,
  batchItemsMax: number,
): Promise<{ readonly runId: string; readonly platforms: readonly string[] } | null> {
  const runId = newId();
  const accepted = acceptItems(
    tx,
    { ...origin, batchItemsMax },
    items.map(({ item }) => item),
  );
  const batchIds = accepted.batches.map(({ id }) => id);
  // First, so that nothing else is written for a slot or key that has a run.
  const isNew = await insertRun(tx, origin, runId, {
    state: "started",
    batchIds,
    cellCount,
    taskCount: items.length,
    points: pointsOf(items),
    waves,
  });
  if (!isNew) {
    nothingToRecord();
    return null;
  }
  noteAudit({
    target: { type: "run", id: runId },
    after: { panelId: origin.panelId, tasks: items.length, points: pointsOf(items) },
  });
  await fixBrands(tx, origin);
  await accepted.write(insertTasks(tx, origin, runId, accepted.batches, items));
  return { runId, platforms: accepted.platforms };
}

/** How many runs that could not be started are kept of each panel: a schedule goes on without points, and its refusals are rows. */
const notRunKept = 1_000;

/** Records that a run was not started, and why, unless there is a run for this slot. Keeps the newest of them. */
export async function recordNotRun(
  tx: Transaction,
  origin: RunOrigin,
  state: "refused" | "missed",
  problem: RunProblem,
): Promise<void> {
  await insertRun(tx, origin, newId(), { state, problem });
  // Locks: the deleted rows. Index: the primary key.
  await tx.query(
    `delete from panel_runs where account_id = $1 and panel_id = $2 and state <> 'started' and id <= (
       select id from panel_runs where account_id = $1 and panel_id = $2 and state <> 'started'
        order by id desc offset ${notRunKept} limit 1)`,
    [origin.accountId, origin.panelId],
  );
}

/** False: there is a run for this slot or key. */
export async function insertRun(
  tx: Transaction,
  origin: RunOrigin,
  runId: string,
  { state, batchIds = [], cellCount = 0, taskCount = 0, points = 0, problem, waves = null }: RunOutcome,
): Promise<boolean> {
  // Locks: only the new row; waits for another transaction that inserts the same slot or key.
  const { rowCount } = await tx.query(
    `insert into panel_runs (account_id, panel_id, id, revision, slot, request_key, state, batch_ids, cell_count, task_count, points,
                             problem, created_at, waves)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) on conflict do nothing`,
    [
      origin.accountId,
      origin.panelId,
      runId,
      origin.revision,
      origin.slot,
      origin.requestKey,
      state,
      batchIds,
      cellCount,
      taskCount,
      points,
      problem === undefined ? null : JSON.stringify(problem),
      origin.now,
      waves === null ? null : JSON.stringify(waves),
    ],
  );
  return rowCount === 1;
}

const taskRows = rowsAs<RunItem & { readonly taskId: string }>("t", {
  task_id: ["uuid", (task) => task.taskId],
  prompt_id: ["text", ({ cell }) => cell.promptId],
  platform: ["text", ({ cell }) => cell.platform],
  locale: ["text", ({ cell }) => cell.locale],
  persona: ["text", ({ cell }) => cell.persona],
  repeat: ["int", (task) => task.repeat],
  probability: ["float8", ({ probability = 1 }) => (probability === 1 ? null : probability)],
});

/** Inserts which cell of the panel each task of a run asks. */
export async function insertTasks(
  tx: Transaction,
  { accountId, panelId, revision }: Pick<RunOrigin, "accountId" | "panelId" | "revision">,
  runId: string,
  batches: readonly AcceptedBatch[],
  items: readonly RunItem[],
): Promise<void> {
  const taskIds = batches.flatMap((batch) => batch.taskIds);
  // Locks: only the new rows.
  await tx.query(
    `insert into panel_tasks (account_id, panel_id, revision, run_id, ${taskRows.columns})
     select $1, $2, $3, $4, t.* from ${taskRows.after(4)}`,
    [
      accountId,
      panelId,
      revision,
      runId,
      ...taskRows.values(items.map((item, nth) => ({ ...item, taskId: taskIds[nth] ?? "" }))),
    ],
  );
}

export interface RunRequest {
  readonly accountId: string;
  readonly tokenId: string;
  readonly traceParent: string | null;
  readonly panelId: string;
  readonly key: string;
  /** The most points that the run may hold; null: any number. */
  readonly pointsMax: number | null;
  /** Why the account gets no new tasks; null: it does. */
  readonly full?: ProblemError | null;
}

export interface RequestedRun {
  readonly runId: string;
  readonly replayed: boolean;
  readonly platforms: readonly string[];
}

/** Runs a panel at its current revision, once for each key. Null: the account has no such panel. */
export async function runNow(database: Database, request: RunRequest, rules: ItemRules): Promise<RequestedRun | null> {
  const { accountId, panelId } = request;
  const earlier = await findRun(database, request);
  if (earlier !== null) return earlier;
  const panel = await getPanel(database, accountId, panelId);
  if (panel === null) return null;
  const { full = null } = request;
  if (full !== null) throw full;
  const priced = await pricePanel(panel, rules, `${panelId} ${request.key}`);
  if (priced.errors.length > 0) throw refusal(priced.errors);
  withinPoints(
    // A run in waves counts with the most that it may cost.
    [{ pricePoints: priced.waves?.pointsMax ?? pointsOf(priced.items) }],
    request.pointsMax,
  );
  const started = await untilRefused(database, () =>
    database.transaction(async (tx) => {
      // Locks: the panel against its deletion.
      const { rows } = await tx.query<{ now: Date; project: string }>(
        "select date_trunc('milliseconds', now()) as now, coalesce(project_id, account_id) as project from panels where account_id = $1 and id = $2 for key share",
        [accountId, panelId],
      );
      const [row] = rows;
      if (row === undefined) throw new ProblemError("not_found", "The panel was deleted meanwhile. Nothing was asked.");
      const origin = {
        ...{ ...request, projectId: row.project, revision: panel.revision },
        ...{ slot: null, requestKey: request.key, now: row.now },
      };
      return startRun(tx, origin, priced, rules.itemsMax);
    }),
  );
  // Another request had the same key at the same moment.
  if (started === null) return findRun(database, request);
  announceTasks(database, started.platforms);
  return { ...started, replayed: false };
}

async function findRun(database: Database, { accountId, panelId, key }: RunRequest): Promise<RequestedRun | null> {
  // Index: panel_runs_request.
  const { rows } = await database.query<{ id: string }>(
    "select id from panel_runs where account_id = $1 and panel_id = $2 and request_key = $3",
    [accountId, panelId, key],
  );
  const [row] = rows;
  return row === undefined ? null : { runId: row.id, replayed: true, platforms: [] };
}
