import type { Readable } from "node:stream";
import type { PanelContent, PlanRequest } from "@querent/contract";
import type { PanelDefinition } from "@querent/figures";
import { readsUntil, type Database } from "../../db/index.ts";
import type { ItemRules } from "../../tasks/index.ts";
import type { Computer } from "../computing/computer.ts";
import type { EntitySearch } from "../entities/entity-search.ts";
import { answerPages, memoryForWindow } from "../figures/answer-pages.ts";
import { readDefinition } from "../figures/read-definition.ts";
import { failurePages } from "../figures/read-failures.ts";
import { windowOf } from "../figures/window.ts";
import { getPanel } from "../panels/panels.ts";
import { pricePanel } from "../panels/price-panel.ts";
import { checkMeasure, invalid } from "./check-measure.ts";
import { job, type Prices } from "./plan-job.ts";

export interface PlanDeps {
  readonly database: Database;
  readonly entities: EntitySearch;
  readonly computer: Computer;
  readonly rules: () => Promise<ItemRules>;
}

const narrow = { pointer: "/from", detail: "Choose a shorter window." };

/** The plan as JSON. Null: the account has no such panel. */
export async function planPanel(
  { database, entities, computer, rules }: PlanDeps,
  {
    accountId,
    panelId,
    signal,
  }: { readonly accountId: string; readonly panelId: string; readonly signal: AbortSignal },
  request: PlanRequest,
): Promise<Buffer | Readable | null> {
  const panel = await readDefinition(database, entities, accountId, panelId);
  const content = await getPanel(database, accountId, panelId);
  if (panel === null || content === null) return null;
  check(panel, request);
  const prices = pricesOf(await pricePanel(content, await rules(), "plan"), request, content);
  const { from, to, platformCode, locale, persona, measure } = request;
  const window = await windowOf(database, { accountId, panelId }, { from, to });
  const surface = {
    platformCode,
    ...(locale === undefined ? {} : { locale }),
    ...(persona === undefined ? {} : { persona }),
  };
  const selection = { panelId, ...window, ...surface };
  return computer.reply({
    accountId,
    job,
    input: { panel, request, window, surface, prices },
    inputs: {
      failures: (db) => failurePages(db, accountId, selection, { measure }),
      answers: (db) => answerPages(db, accountId, selection),
    },
    signal,
    narrow,
    memoryMiB: () => memoryForWindow(readsUntil(database, signal), accountId, selection),
  });
}

function check(panel: PanelDefinition, request: PlanRequest): void {
  if (!panel.platforms.includes(request.platformCode))
    throw invalid("/platformCode", "The panel does not ask this platform.");
  checkMeasure(panel, request, "/");
}

function pricesOf(
  { items }: Awaited<ReturnType<typeof pricePanel>>,
  { platformCode }: PlanRequest,
  { prompts, repeats }: PanelContent,
): Prices {
  const ofPlatform = items.filter(({ cell }) => cell.platform === platformCode);
  const sum = (list: typeof items) => list.reduce((total, { item }) => total + item.pricePoints, 0);
  return {
    answer: sum(ofPlatform) / Math.max(1, ofPlatform.length),
    everywhere: sum(items) / Math.max(1, prompts.length * repeats),
  };
}
