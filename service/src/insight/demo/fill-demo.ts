/** Fills an account with four weeks of simulated answers. */
import { forEachAskedAs, type Support } from "@querent/contract";
import type { Database, Transaction } from "../../db/index.ts";
import { newId, newIdsAt } from "../../kernel/ids.ts";
import {
  pastBatch,
  type ItemRules,
  type ObserveAnswers,
  type PastDeps,
  type PastTask,
  type PlatformTerms,
} from "../../tasks/index.ts";
import { judgeUnannounced } from "../changes/judge-unannounced.ts";
import { Computer } from "../computing/computer.ts";
import { mergeEntities } from "../entities/change-entities.ts";
import type { EntitySearch } from "../entities/entity-search.ts";
import { withBrands } from "../panels/panel-brands.ts";
import { insertPanel } from "../panels/panels.ts";
import { pricePanel, type PricedPanel } from "../panels/price-panel.ts";
import type { RunItem } from "../panels/run-item.ts";
import { readPanel, type ReadPanel } from "../panels/read-panel.ts";
import { storeEnd } from "../schedule/end-runs.ts";
import { insertRun, insertTasks } from "../schedule/start-run.ts";
import { demoDays, demoEntities, demoPanel, demoPlatforms, type DemoPlatform } from "./demo-panel.ts";
import { drawAnswer, resultOf, type DrawnFor } from "./draw-answer.ts";

export interface FilledDemo {
  readonly panelId: string;
  readonly runs: number;
  readonly answers: number;
  readonly from: Date;
  readonly to: Date;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Writes the entities; then the panel and a run for each of the last 28 days, in one transaction: all of it or nothing. Then judges
 * what has changed. The functions are those that write real runs and answers, with past times: a run is accepted at a full
 * hour of its day, and ids contain that time. Only the results are of today, so that every answer can be read for as long as results
 * are kept.
 */
export async function fillDemo(
  database: Database,
  accountId: string,
  {
    entities,
    observe,
    retentionMs,
  }: Omit<PastDeps, "observe"> & {
    readonly entities: EntitySearch;
    readonly observe: ObserveAnswers;
  },
): Promise<FilledDemo> {
  const { rows } = await database.query<{ now: Date }>("select now() as now");
  const days = runDays(rows[0]?.now ?? new Date());
  const [first = new Date(), last = first] = [days[0], days.at(-1)];
  const rules = demoRules(first);
  const createdAt = new Date(first.getTime() - hourMs);
  const [panelId = newId()] = newIdsAt(createdAt, 1);
  // Before the answers are searched for them, which takes time, and locks nothing.
  await mergeEntities(database, accountId, demoEntities());
  // The brands of whoever fills the account are not in it.
  const panel = await withBrands(database, accountId, readPanel(demoPanel, rules));
  const priced = await pricePanel(panel.content, rules, "demo");
  const tasks: PastTask[][] = [];
  for (const [day, now] of days.entries()) tasks.push(await pastTasks({ accountId, panel, day, now }, priced, observe));
  await database.transaction(async (tx) => {
    await insertPanel(tx, { accountId, id: panelId, panel, now: createdAt });
    for (const [day, now] of days.entries())
      await insertPastRun(tx, { accountId, panelId, now, tasks: tasks[day] ?? [] }, priced, { observe, retentionMs });
  });
  // Simulated pages have no recipe that could drift.
  const computer = new Computer({ database, memoryMiB: 512, timeMs: 60_000, waitMs: 0 });
  await judgeUnannounced({ database, entities, computer, readDrift: async () => new Map() }, { accountId, panelId });
  return { panelId, runs: days.length, answers: days.length * priced.items.length, from: first, to: last };
}

/**
 * The hour before the last full one, on each of the last 28 days, the oldest first: the answers of the last run have come by now, and
 * the first run stays in the default window of figures, which has 28 days, for almost a day.
 */
export function runDays(now: Date): Date[] {
  const last = Math.floor(now.getTime() / hourMs) * hourMs - hourMs;
  return Array.from({ length: demoDays }, (_, index) => new Date(last - (demoDays - 1 - index) * dayMs));
}

interface PastDay {
  readonly accountId: string;
  readonly panel: ReadPanel;
  readonly day: number;
  readonly now: Date;
}

async function pastTasks(
  { accountId, panel, day, now }: PastDay,
  { items }: PricedPanel,
  observe: ObserveAnswers,
): Promise<PastTask[]> {
  const prompts = new Map(panel.content.prompts.map((prompt) => [prompt.promptId, prompt]));
  const tasks: PastTask[] = [];
  for (const { cell, repeat, item } of items) {
    const { text = "", topic = "" } = prompts.get(cell.promptId) ?? {};
    const platform: DemoPlatform = cell.platform === demoPlatforms.web ? demoPlatforms.web : demoPlatforms.api;
    const asked: DrawnFor = { promptId: cell.promptId, text, topic: topic ?? "", platform, day, repeat };
    const drawn = drawAnswer(asked);
    const completedAt = new Date(now.getTime() + 1000 + drawn.durationMs);
    const result = resultOf(asked, drawn, completedAt);
    const observed = await observe.describe({ accountId, result, json: JSON.stringify(result) });
    tasks.push({ item, startedAt: new Date(now.getTime() + 1000), completedAt, result, observed });
  }
  return tasks;
}

interface PastRun {
  readonly accountId: string;
  readonly panelId: string;
  readonly now: Date;
  readonly tasks: readonly PastTask[];
}

async function insertPastRun(
  tx: Transaction,
  { accountId, panelId, now, tasks }: PastRun,
  { cellCount, items }: PricedPanel,
  deps: PastDeps,
): Promise<void> {
  const origin = {
    accountId,
    panelId,
    revision: 1,
    slot: now,
    requestKey: null,
    tokenId: null,
    traceParent: null,
    now,
  };
  const [runId = newId()] = newIdsAt(now, 1);
  const batch = pastBatch(tx, origin, tasks, deps);
  await insertRun(tx, origin, runId, {
    state: "started",
    batchIds: [batch.id],
    cellCount,
    taskCount: items.length,
    points: 0,
  });
  await insertTasks(tx, origin, runId, [batch], items satisfies readonly RunItem[]);
  await batch.write();
  // Here, so that no process notices the end and announces it.
  await storeEnd(tx, { accountId, panelId, runId }, { batch_ids: [batch.id], created_at: now });
}

/** The rules of a service on which the simulated platforms exist and cost nothing. */
function demoRules(now: Date): ItemRules {
  const terms = (code: DemoPlatform, kind: "api" | "web"): [string, PlatformTerms] => [
    code,
    {
      code,
      kind,
      pageHtml: false,
      options: noOptions,
      price: { base: 0, deepAnalysis: 0, screenshot: 0, shareLink: 0, pageHtml: 0 },
      runTimeoutSeconds: 60,
      missing: null,
    },
  ];
  return {
    platforms: new Map([terms(demoPlatforms.api, "api"), terms(demoPlatforms.web, "web")]),
    itemsMax: Number.MAX_SAFE_INTEGER,
    refuseWebhookUrl: () => null,
    browserUsable: true,
    now,
  };
}

const noOptions: PlatformTerms["options"] = {
  how: forEachAskedAs((): Support => "unsupported"),
  values: { country: [], location: [], model: [], domains: null },
};
