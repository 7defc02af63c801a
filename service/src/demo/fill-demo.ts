/** Fills an account with four weeks of simulated answers. */
import { forEachAskedAs, type Support, type Source, type StoredResult } from "@querent/contract";
import type { Database, Transaction, Queryable } from "../db/index.ts";
import { newId, newIdsAt } from "../kernel/ids.ts";
import {
  pastBatch,
  deletePastBatches,
  type ItemRules,
  type PastDeps,
  type PastTask,
  type PlatformTerms,
} from "../tasks/index.ts";
import { judgeUnannounced } from "../reports/changes/evaluate-panel.ts";
import { Computer } from "../computing/computer.ts";
import { mergeEntities, deleteEntity } from "../observations/entities/change-entities.ts";
import type { EntitySearch } from "../observations/entities/entity-search.ts";
import { observeTasks } from "../observations/records/observe-tasks.ts";
import { readerVersion } from "../answers/index.ts";
import { withBrands } from "../panels/definitions/panel-brands.ts";
import { insertPanel, deletePanel } from "../panels/definitions/panels.ts";
import { pricePanel, type PricedPanel } from "../panels/definitions/price-panel.ts";
import type { RunItem } from "../panels/definitions/waves.ts";
import { readPanel, type ReadPanel } from "../panels/definitions/read-panel.ts";
import { storeEnd } from "../panels/schedule/end-runs.ts";
import { insertRun, insertTasks } from "../panels/schedule/start-run.ts";
import {
  demoDays,
  demoEntities,
  demoPanel,
  demoPlatforms,
  demoBrands,
  type DemoPlatform,
  type DemoBrand,
} from "./demo-panel.ts";
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { brandRate, demoSites, modelOn, listedShare, siteRate, topicEffect, type DemoSite } from "./demo-truth.ts";
import { deleteObservations } from "../observations/records/delete-observations.ts";

export interface FilledDemo {
  readonly panelId: string;
  readonly runs: number;
  readonly answers: number;
  readonly from: Date;
  readonly to: Date;
}

/** How many answers are drawn before other work of the process has its turn. */
const answersAtOnce = 20;
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
  { entities, retentionMs }: { readonly entities: EntitySearch; readonly retentionMs: number },
): Promise<FilledDemo> {
  const observe = observeTasks({
    entities,
    reader: readerVersion,
    // The simulated web page is read with a recipe that never changes.
    recipeOf: (code) => (code === demoPlatforms.web ? "simulated" : null),
    kindOf: (code) => (code === demoPlatforms.web ? "web" : "api"),
  });
  const { rows } = await database.query<{ now: Date }>("select now() as now");
  const days = runDays(rows[0]?.now ?? new Date());
  const [first = new Date(), last = first] = [days[0], days.at(-1)];
  const rules = demoRules(first);
  const createdAt = new Date(first.getTime() - hourMs);
  const [panelId = newId()] = newIdsAt(createdAt, 1);
  // Before the answers are searched for them, which takes time, and locks nothing.
  await mergeEntities(database, { accountId, projectId: accountId }, demoEntities());
  // The brands of whoever fills the account are not in it.
  const panel = await withBrands(database, { accountId, projectId: accountId }, readPanel(demoPanel, rules));
  const priced = await pricePanel(panel.content, rules, "demo");
  const tasks: PastTask[][] = [];
  for (const [day, now] of days.entries()) tasks.push(await pastTasks({ accountId, panel, day, now }, priced, observe));
  await database.transaction(async (tx) => {
    await insertPanel(tx, { accountId, projectId: accountId, id: panelId, panel, now: createdAt });
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
  observe: ReturnType<typeof observeTasks>,
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
    // The process may serve others.
    if (tasks.length % answersAtOnce === 0) await setImmediate();
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
    projectId: accountId,
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

/** Which answer: drawn from these alone, so that every demonstration has the same answers. */
interface DrawnFor {
  readonly promptId: string;
  readonly text: string;
  readonly topic: string;
  readonly platform: DemoPlatform;
  /** From 0, the oldest. */
  readonly day: number;
  readonly repeat: number;
}

export interface DrawnAnswer {
  /** In the order of the text: those that it lists, and then the others. */
  readonly brands: readonly DemoBrand[];
  readonly listed: number;
  readonly sites: readonly DemoSite[];
  /** From the start to the end. */
  readonly durationMs: number;
}

/** Draws what an answer names and cites. A prompt that names a brand gets an answer that does. */
export function drawAnswer(asked: DrawnFor): DrawnAnswer {
  const { promptId, text, topic, platform, day, repeat } = asked;
  const random = (what: string) => uniform([promptId, platform, day, repeat, what]);
  const isNamed = (brand: DemoBrand) =>
    text.includes(brand) || random(`names ${brand}`) < brandRate(brand, platform, day) + topicEffect(topic);
  const brands = demoBrands.filter(isNamed);
  // The name of the draw has stayed, so that the demonstration has the same answers as before.
  const isListed = (brand: DemoBrand) => random(`recommends ${brand}`) < listedShare;
  const order = new Map(brands.map((brand) => [brand, random(`order ${brand}`) + (isListed(brand) ? 0 : 1)]));
  const seconds = platform === demoPlatforms.web ? 12 : 3;
  return {
    brands: brands.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)),
    listed: brands.filter(isListed).length,
    sites: demoSites.filter((site) => random(`cites ${site}`) < siteRate(site, day)),
    durationMs: Math.round(1000 * seconds * (1 + random("duration"))),
  };
}

/** The result that a platform's adapter would have made of it. */
function resultOf(asked: DrawnFor, { brands, listed, sites }: DrawnAnswer, observedAt: Date): StoredResult {
  const { platform, day, topic } = asked;
  const isApi = platform === demoPlatforms.api;
  const sources = sites.map((site) => sourceOf(site, topic));
  return {
    content: contentOf(topic, brands.slice(0, listed), brands.slice(listed)),
    pageHtml: null,
    modelVersion: modelOn(platform, day),
    observedAt: observedAt.toISOString(),
    sources,
    products: [],
    videos: [],
    media: [],
    reasoningProcess: null,
    searchProcess: isApi ? [{ position: 1, query: `best ${topic} simulated`, results: [] }] : null,
    screenshotUrl: null,
    shareUrl: null,
    availability: {
      content: "present",
      sources: sources.length > 0 ? "present" : "none_on_platform",
      products: "none_on_platform",
      videos: "none_on_platform",
      media: "none_on_platform",
      reasoningProcess: "not_requested",
      searchProcess: isApi ? "present" : "not_exposed",
      pageHtml: "not_exposed",
      screenshot: "not_requested",
      share: "not_requested",
    },
    provenance: { kind: isApi ? "api" : "web", platform, endpoint: null, region: null },
  };
}

/** Without its sources: the names of sites contain those of brands, and would count as mentions. */
function contentOf(topic: string, listed: readonly DemoBrand[], others: readonly DemoBrand[]): string {
  const items = listed.map((brand, index) => `${index + 1}. **${brand}**: listed by chance.`);
  return [
    "This answer is simulated: no answer platform was asked. Its brands do not exist.",
    items.length === 0 ? `No maker stands out (${topic}).` : `Worth a look (${topic}):\n\n${items.join("\n")}`,
    ...(others.length === 0 ? [] : [`Also sold: ${others.join(", ")}.`]),
  ].join("\n\n");
}

function sourceOf(site: DemoSite, topic: string): Source {
  const path = topic.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return {
    title: `Simulated source: ${site}`,
    url: `https://${site}/${path}`,
    summary: null,
    site,
    publishedAt: null,
  };
}

/** A number from 0 to below 1: the first 48 bits of a digest. */
function uniform(keys: readonly unknown[]): number {
  const digest = createHash("sha256")
    .update(JSON.stringify(["querent demo 1", ...keys]))
    .digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

/** The panel of the demonstration in an account; null: it has none. Only such a panel asks the simulated platforms. */
export async function findDemo(db: Queryable, accountId: string): Promise<string | null> {
  // Index: the primary key of panel_revisions; an account has some panels.
  const { rows } = await db.query<{ panel_id: string }>(
    `select panel_id from panel_revisions
      where account_id = $1 and revision = 1 and content->'platforms' = $2::jsonb order by panel_id limit 1`,
    [accountId, JSON.stringify(Object.values(demoPlatforms))],
  );
  return rows[0]?.panel_id ?? null;
}

/**
 * Deletes what `fillDemo` wrote into an account, and nothing else. The panel comes last, so that an interrupted removal can be
 * continued. What remains is the number of changes of the account's entities, which never decreases.
 */
export async function removeDemo(database: Database, accountId: string, panelId: string): Promise<void> {
  await deleteObservations(database, accountId, { panelId });
  // Later revisions, if somebody edited the panel, asked real platforms.
  // Index: the primary key.
  const { rows: runs } = await database.query<{ batch_ids: string[] }>(
    "select batch_ids from panel_runs where account_id = $1 and panel_id = $2 and revision = 1",
    [accountId, panelId],
  );
  await database.transaction((tx) =>
    deletePastBatches(
      tx,
      accountId,
      runs.flatMap((run) => run.batch_ids),
    ),
  );
  // Index: entity_by_name.
  const { rows: entities } = await database.query<{ id: string }>(
    "select id from entities where account_id = $1 and name = any($2)",
    [accountId, demoEntities().map(({ name }) => name)],
  );
  for (const { id } of entities) await deleteEntity(database, accountId, id);
  await deletePanel(database, accountId, panelId);
}
