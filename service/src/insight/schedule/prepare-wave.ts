import { readings, subjectOf } from "@querent/figures";
import type { PanelContent } from "@querent/contract";
import type { Database, Queryable } from "../../db/index.ts";
import type { ItemRules } from "../../tasks/index.ts";
import type { EntitySearch } from "../entities/entity-search.ts";
import { yieldToEventLoop } from "../../runtime/slices.ts";
import { answerPages } from "../figures/answer-pages.ts";
import { answerDecoder } from "../figures/decode-answers.ts";
import { readDefinition } from "../figures/read-definition.ts";
import { getPanel } from "../panels/panels.ts";
import { pricePanel } from "../panels/price-panel.ts";
import type { RunItem } from "../panels/run-item.ts";
import { refusal } from "../panels/read-panel.ts";
import { isMeasured } from "../panels/wave-measure.ts";
import type { AskedQuestion, StoredWaves, WaveInput } from "./waves.ts";

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
export type PreparedWave = Omit<WaveInput, "pointsAsked" | "hasCanceled" | "waves"> & {
  readonly batchItemsMax: number;
};

/**
 * Reads what a run's waves brought so far, and what the next one would ask. Called before the transaction that decides: all
 * tasks of the run have ended, so nothing of this changes in between. Null: the panel was deleted. Throws the error with which
 * a platform now refuses the questions.
 */
export async function prepareWave(
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
  const parts = { mentions: true, sources: measure === "own_citation_rate" };
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
