import type { PanelRun, PanelRuns, RunWaves } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { readBatches } from "../../tasks/index.ts";
import type { StoredWaves } from "../definitions/waves.ts";

interface RunRow {
  id: string;
  panel_id: string;
  revision: number;
  slot: Date | null;
  state: PanelRun["state"];
  batch_ids: string[];
  cell_count: number;
  task_count: number;
  points: number;
  problem: PanelRun["problem"];
  created_at: Date;
  ended_at: Date | null;
  ends: PanelRun["tasks"];
  waves: StoredWaves | null;
}

const columns =
  "id, panel_id, revision, slot, state, batch_ids, cell_count, task_count, points, problem, created_at, ended_at, ends, waves";

/** A page of a panel's runs, newest first: those older than `beforeId`. */
export async function listRuns(
  db: Queryable,
  accountId: string,
  panelId: string,
  page: { readonly beforeId: string | null; readonly limit: number },
): Promise<{ runs: PanelRuns["runs"]; nextId: string | null }> {
  // Index: the primary key.
  const { rows } = await db.query<RunRow & Record<string, unknown>>(
    `select ${columns} from panel_runs
      where account_id = $1 and panel_id = $2 and ($3::uuid is null or id < $3) order by id desc limit $4`,
    [accountId, panelId, page.beforeId, page.limit + 1],
  );
  const shown = rows.slice(0, page.limit);
  return {
    runs: await withBatches(db, accountId, shown),
    nextId: rows.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

export async function getRun(
  db: Queryable,
  accountId: string,
  panelId: string,
  runId: string,
): Promise<PanelRun | null> {
  const { rows } = await db.query<RunRow & Record<string, unknown>>(
    `select ${columns} from panel_runs where account_id = $1 and panel_id = $2 and id = $3`,
    [accountId, panelId, runId],
  );
  const [run] = await withBatches(db, accountId, rows);
  return run ?? null;
}

async function withBatches(db: Queryable, accountId: string, rows: readonly RunRow[]): Promise<PanelRun[]> {
  const ids = rows.flatMap((row) => row.batch_ids);
  const batches = new Map((await readBatches(db, accountId, ids)).map((batch) => [batch.batchId, batch]));
  return rows.map((row) => ({
    runId: row.id,
    panelId: row.panel_id,
    revision: row.revision,
    slot: row.slot?.toISOString() ?? null,
    state: row.state,
    cellCount: row.cell_count,
    taskCount: row.task_count,
    points: row.points,
    problem: row.problem,
    waves: wavesRecord(row),
    batches: row.batch_ids.flatMap((id) => batches.get(id) ?? []),
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    tasks: row.ends,
  }));
}

/** The public record of a run's waves, with members in the order of the contract: jsonb sorts them. */
export function wavesRecord({ waves, points }: Pick<RunRow, "waves" | "points">): RunWaves | null {
  if (waves === null) return null;
  const { asked, max, tasksMax, pointsMax, stopped, problem, platforms } = waves;
  return {
    asked,
    max,
    tasksMax,
    pointsMax,
    pointsSaved: stopped === null ? null : Math.max(0, pointsMax - points),
    stopped,
    problem: problem === null ? null : { code: problem.code, detail: problem.detail },
    platforms: platforms.map(({ platformCode, waves: count, answers, value, low, high, width, stopped: why }) => ({
      platformCode,
      waves: count,
      answers,
      value,
      low,
      high,
      width,
      stopped: why,
    })),
  };
}
