import { ProblemError } from "../../api/problem-error.ts";
import type { Transaction, Database, Queryable } from "../../db/index.ts";
import { acceptItems, announceTasks, countEnds, findPending, untilRefused, type ItemRules } from "../../tasks/index.ts";
import { NotSearchedError, type EntitySearch } from "../../observations/entities/entity-search.ts";
import { insertTasks, type RunProblem } from "./start-run.ts";
import {
  decideWave,
  isMeasured,
  type StoredWaves,
  type RunItem,
  type AskedQuestion,
  type WaveInput,
} from "../definitions/waves.ts";
import { readings, subjectOf } from "@querent/figures";
import type { PanelContent } from "@querent/contract";
import { yieldToEventLoop } from "../../runtime/slices.ts";
import { answerPages } from "../../observations/answers/answer-pages.ts";
import { answerDecoder } from "../../observations/answers/decode-answers.ts";
import { readDefinition } from "../definitions/read-definition.ts";
import { getPanel } from "../definitions/panels.ts";
import { pricePanel } from "../definitions/price-panel.ts";
import { refusal } from "../definitions/read-panel.ts";

/**
 * Asks the next wave of a run whose tasks have all ended, or stores why there is none. The decision, the tasks of the wave and
 * their points are one transaction that locks the run's row, so that over any number of processes and crashes each wave is
 * asked once. `left`: another process has done so, or the panel was deleted.
 */
export async function askWave(deps: WaveDeps, run: RunInWaves): Promise<"asked" | "stopped" | "left"> {
  const { database } = deps;
  try {
    const prepared = await prepareWave(deps, run);
    if (prepared === null) return "left";
    const next = await untilRefused(database, () => database.transaction((tx) => writeWave(tx, run, prepared)));
    if (next === null) return "left";
    announceTasks(database, next);
    return next.length === 0 ? "stopped" : "asked";
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    // The next poll tries again.
    if (error instanceof NotSearchedError && error.why === "busy") return "left";
    const problem = { code: error.code, detail: error.message };
    return (await database.transaction((tx) => refuseWave(tx, run, problem))) ? "stopped" : "left";
  }
}

/** The platforms that the wave asks; none: the run has stopped. Null: another process has decided. */
async function writeWave(
  tx: Transaction,
  run: RunInWaves,
  { batchItemsMax, ...prepared }: PreparedWave,
): Promise<readonly string[] | null> {
  const { account_id: accountId, panel_id: panelId, id: runId, revision } = run;
  const row = await lockRun(tx, run);
  if (row === null || (await findPending(tx, accountId, row.batch_ids)) !== null) return null;
  const { ends } = await countEnds(tx, accountId, row.batch_ids);
  const { waves, items } = decideWave({
    ...prepared,
    waves: row.waves,
    pointsAsked: row.points,
    hasCanceled: ends.canceled > 0,
  });
  const accepted = acceptItems(
    tx,
    {
      ...{ accountId, panelId, projectId: row.project, tokenId: null, traceParent: null, now: row.now },
      ...{ batchItemsMax, runPointsBefore: row.points },
    },
    items.map(({ item }) => item),
  );
  // Index: the primary key. Its row is locked.
  await tx.query(
    `update panel_runs set waves = $4, batch_ids = batch_ids || $5::uuid[], task_count = task_count + $6, points = points + $7
      where account_id = $1 and panel_id = $2 and id = $3`,
    [
      accountId,
      panelId,
      runId,
      JSON.stringify(waves),
      accepted.batches.map(({ id }) => id),
      items.length,
      items.reduce((sum, { item }) => sum + item.pricePoints, 0),
    ],
  );
  if (items.length > 0)
    await accepted.write(insertTasks(tx, { accountId, panelId, revision }, runId, accepted.batches, items));
  return accepted.platforms;
}

/** Stores that the next wave was refused. Nothing of it was asked or charged. False: another process has decided. */
async function refuseWave(tx: Transaction, run: RunInWaves, problem: RunProblem): Promise<boolean> {
  const row = await lockRun(tx, run);
  if (row === null) return false;
  const platforms = row.waves.platforms.map((one) => ({ ...one, stopped: one.stopped ?? ("refused" as const) }));
  const waves: StoredWaves = { ...row.waves, stopped: "refused", problem, platforms };
  await tx.query("update panel_runs set waves = $4 where account_id = $1 and panel_id = $2 and id = $3", [
    run.account_id,
    run.panel_id,
    run.id,
    JSON.stringify(waves),
  ]);
  return true;
}

/** The row of a run whose waves have not changed since they were read. Null: they have, or another process has the row. */
async function lockRun(tx: Transaction, { account_id, panel_id, id, waves }: RunInWaves) {
  // Locks: the run's row, unless another process has it. Index: the primary key.
  const { rows } = await tx.query<{
    batch_ids: string[];
    points: number;
    waves: StoredWaves;
    now: Date;
    project: string;
  }>(
    `select batch_ids, points, waves, date_trunc('milliseconds', now()) as now,
            (select coalesce(p.project_id, p.account_id) from panels p where p.account_id = $1 and p.id = $2) as project
       from panel_runs
      where account_id = $1 and panel_id = $2 and id = $3 and ended_at is null
        and waves->>'stopped' is null and (waves->>'asked')::int = $4
        for update skip locked`,
    [account_id, panel_id, id, waves.asked],
  );
  return rows[0] ?? null;
}

export interface WaveDeps {
  readonly database: Database;
  readonly entities: EntitySearch;
  readonly rules: () => Promise<ItemRules>;
}

export interface RunInWaves {
  readonly account_id: string;
  readonly panel_id: string;
  readonly id: string;
  readonly revision: number;
  readonly created_at: Date;
  readonly waves: StoredWaves;
}

/** Everything that the decision about the next wave needs, except how the tasks ended and what they cost. */
type PreparedWave = Omit<WaveInput, "pointsAsked" | "hasCanceled" | "waves"> & {
  readonly batchItemsMax: number;
};

/**
 * Reads what a run's waves brought so far, and what the next one would ask. Called before the transaction that decides: all
 * tasks of the run have ended, so nothing of this changes in between. Null: the panel was deleted. Throws the error with which
 * a platform now refuses the questions.
 */
async function prepareWave(
  { database, entities, rules }: WaveDeps,
  { account_id: accountId, panel_id: panelId, id: runId, revision, created_at: createdAt }: RunInWaves,
): Promise<PreparedWave | null> {
  const [panel, definition] = await Promise.all([
    getPanel(database, accountId, panelId, revision),
    readDefinition(database, entities, accountId, panelId, revision),
  ]);
  if (panel?.askUntil === undefined || definition === null) return null;
  const { askUntil, repeats } = panel;
  const now = await rules();
  const items = await itemsByCell(panel, now);
  const entityId = askUntil.entityId ?? oldestOwn(definition.entities)?.entityId;
  const subject = subjectOf(definition, entityId === undefined ? {} : { entityId });
  const measure = isMeasured(askUntil.measure) ? askUntil.measure : null;
  const tasks = await readTasks(database, accountId, panelId, runId);
  const branded = new Set(
    definition.prompts.flatMap(({ promptId, branded: names }) => (names.includes(entityId ?? "") ? [promptId] : [])),
  );
  const values = new Map<string | null, number | null>();
  const decode = answerDecoder();
  const selection = {
    panelId,
    runId,
    from: createdAt.toISOString(),
    to: new Date(now.now.getTime() + dayMs).toISOString(),
  };
  const parts = { mentions: true, sources: measure === "own_citation_rate", products: false, ads: false };
  for await (const page of answerPages(database, accountId, selection, parts)) {
    for (const answer of decode(page)) {
      const reading = measure === null ? null : readings[measure](answer, subject);
      values.set(
        answer.taskId,
        reading === null || typeof reading === "string" || "missing" in reading ? null : reading.value,
      );
    }
    await yieldToEventLoop();
  }
  return {
    runId,
    askUntil,
    repeats,
    items,
    asked: tasks.map((task) => ({
      ...task,
      wave: Math.ceil(task.repeat / repeats),
      value: values.get(task.taskId) ?? null,
    })),
    measured: new Set(
      subject.entity === null || measure === null
        ? []
        : tasks.filter(({ promptId }) => !branded.has(promptId)).map(({ cell }) => cell),
    ),
    batchItemsMax: now.itemsMax,
  };
}

const dayMs = 86_400_000;

/** All cells, whichever of them the run drew: those that it asks are known from its first wave. */
async function itemsByCell(panel: PanelContent, rules: ItemRules): Promise<ReadonlyMap<string, readonly RunItem[]>> {
  const { platformShare: _, ...all } = panel;
  const { items, errors } = await pricePanel(all, rules, "");
  if (errors.length > 0) throw refusal(errors);
  return Map.groupBy(items, ({ cell: { promptId, platform, locale, persona } }) =>
    cellKey(promptId, platform, locale, persona),
  );
}

function oldestOwn<Entity extends { relation: string; createdAt: string }>(entities: readonly Entity[]) {
  const own = entities.filter(({ relation }) => relation === "own");
  return own.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1))[0];
}

type Asked = Omit<AskedQuestion, "wave" | "value"> & { taskId: string; promptId: string; repeat: number };

async function readTasks(db: Queryable, accountId: string, panelId: string, runId: string): Promise<Asked[]> {
  // Index: panel_tasks_run. Locks nothing.
  const { rows } = await db.query<{
    task_id: string;
    prompt_id: string;
    platform: string;
    locale: string;
    persona: string;
    repeat: number;
    probability: number | null;
  }>(
    `select task_id, prompt_id, platform, locale, persona, repeat, probability from panel_tasks
      where account_id = $1 and panel_id = $2 and run_id = $3 order by repeat, task_id`,
    [accountId, panelId, runId],
  );
  return rows.map(({ task_id: taskId, prompt_id: promptId, platform, locale, persona, repeat, probability }) => ({
    taskId,
    promptId,
    platform,
    cell: cellKey(promptId, platform, locale, persona),
    repeat,
    probability: probability ?? 1,
  }));
}

const cellKey = (...parts: readonly string[]) => JSON.stringify(parts);
