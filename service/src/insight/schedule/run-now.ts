import type { Database } from "../../db/index.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { announceTasks, untilRefused, withinPoints, type ItemRules } from "../../tasks/index.ts";
import { getPanel } from "../panels/panels.ts";
import { pricePanel } from "../panels/price-panel.ts";
import { refusal } from "../panels/read-panel.ts";
import { startRun } from "./start-run.ts";
import { pointsOf } from "./waves.ts";

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
      const { rows } = await tx.query<{ now: Date }>(
        "select date_trunc('milliseconds', now()) as now from panels where account_id = $1 and id = $2 for key share",
        [accountId, panelId],
      );
      const [row] = rows;
      if (row === undefined) throw new ProblemError("not_found", "The panel was deleted meanwhile. Nothing was asked.");
      const origin = { ...request, revision: panel.revision, slot: null, requestKey: request.key, now: row.now };
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
