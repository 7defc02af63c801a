import { api, type PanelContent, type PlanRequest } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route } from "../../api/route.ts";
import { definitionOf, jsonHeaders } from "../figures/routes.ts";
import { readsUntil, type Database } from "../../db/index.ts";
import type { Readable } from "node:stream";
import { measureOf, type FigureRequest, type PanelDefinition } from "@querent/figures";
import { memoryForWindow, answerPages, type AnswerSelection } from "../../observations/answers/answer-pages.ts";
import { failurePages } from "../figures/read-failures.ts";
import { windowOf } from "../figures/requests.ts";
import { job as bridgeJob } from "./bridge-job.ts";
import type { ItemRules } from "../../tasks/index.ts";
import type { Computer } from "../../computing/computer.ts";
import type { EntitySearch } from "../../observations/entities/entity-search.ts";
import { getPanel } from "../../panels/definitions/panels.ts";
import { pricePanel } from "../../panels/definitions/price-panel.ts";
import { job as planJob, type Prices } from "./plan-job.ts";

export function planRoutes(deps: PlanDeps): Route[] {
  return [
    route(api.planPanel, async ({ caller: { accountId }, params, body, signal }) => {
      const planned = await planPanel(deps, { accountId, panelId: params.panel_id, signal }, body);
      if (planned === null) throw new ProblemError("not_found", "There is no such panel.");
      return { status: 200, headers: jsonHeaders, body: planned };
    }),

    route(api.bridgePanel, async ({ caller: { accountId }, params, query, signal }) => {
      const asked = { measure: "presence" as const, ...query };
      const bridged = await bridgePanel(deps, { accountId, panelId: params.panel_id, signal }, asked);
      if (bridged === null) throw new ProblemError("not_found", "There is no such panel.");
      return { status: 200, headers: jsonHeaders, body: bridged };
    }),
  ];
}

interface BridgeRequest extends Omit<FigureRequest, "by" | "platformCode"> {
  readonly fromPlatform: string;
  readonly toPlatform: string;
}

const narrowBridge = { pointer: "?from", detail: "Choose a shorter window, or a locale." };

/** The bridge as JSON. Null: the account has no such panel. */
async function bridgePanel(
  { database, entities, computer }: Omit<PlanDeps, "rules">,
  {
    accountId,
    panelId,
    signal,
  }: { readonly accountId: string; readonly panelId: string; readonly signal: AbortSignal },
  { fromPlatform, toPlatform, from, to, ...asked }: BridgeRequest,
): Promise<Buffer | Readable | null> {
  const panel = await definitionOf({ database, entities, computer }, { accountId, signal }, panelId);
  if (panel === null) return null;
  checkBridge(panel, { ...asked, fromPlatform, toPlatform });
  const window = await windowOf(database, { accountId, panelId }, { from, to });
  const { locale, persona } = asked;
  const surface = { ...(locale === undefined ? {} : { locale }), ...(persona === undefined ? {} : { persona }) };
  const selectionOf = (platformCode: unknown): AnswerSelection => ({
    panelId,
    ...surface,
    ...window,
    platformCode: String(platformCode),
  });
  return computer.reply({
    accountId,
    job: bridgeJob,
    input: { panel, asked: { ...asked, ...surface }, window, fromPlatform, toPlatform },
    inputs: {
      failures: (db, of) => failurePages(db, accountId, selectionOf(of), asked),
      answers: (db, of) => answerPages(db, accountId, selectionOf(of)),
    },
    signal,
    narrow: narrowBridge,
    memoryMiB: () => memoryForWindow(readsUntil(database, signal), accountId, { panelId, ...window }),
  });
}

function checkBridge(panel: PanelDefinition, request: BridgeRequest): void {
  for (const name of ["fromPlatform", "toPlatform"] as const)
    if (!panel.platforms.includes(request[name])) throw invalid(`?${name}`, "The panel does not ask this platform.");
  if (request.fromPlatform === request.toPlatform) throw invalid("?toPlatform", "It is the same platform.");
  checkMeasure(panel, request, "?");
}

const invalid = (pointer: string, detail: string) =>
  new ProblemError("validation_failed", "This cannot be computed.", {
    errors: [{ pointer, code: "not_allowed", detail }],
  });

/**
 * Rejects a measure without the entity, domain or type of sites that it needs, and an invalid surface. @param at where the
 * members are: `?` in a query, `/` in a body
 */
function checkMeasure(
  { locales, personas, entities }: PanelDefinition,
  request: Omit<FigureRequest, "by" | "platformCode">,
  at: "?" | "/",
): void {
  const { per } = measureOf(request.measure);
  if (per === "entity" && !entities.some(({ entityId }) => entityId === request.entityId))
    throw invalid(`${at}entityId`, "The measure is about an entity: name one of the account.");
  if (per === "domain" && request.domain === undefined) throw invalid(`${at}domain`, "The measure is about a domain.");
  if (per === "source_type" && request.sourceType === undefined)
    throw invalid(`${at}sourceType`, "The measure is about a type of sites.");
  if (request.measure === "platform_source_agreement")
    throw invalid(`${at}measure`, "It compares platforms, so it is not a figure of one of them.");
  if (request.locale === undefined && locales.length > 1)
    throw invalid(`${at}locale`, "The panel has several: choose one.");
  if (request.persona === undefined && personas.length > 1)
    throw invalid(`${at}persona`, "The panel has several: choose one.");
}

interface PlanDeps {
  readonly database: Database;
  readonly entities: EntitySearch;
  readonly computer: Computer;
  readonly rules: () => Promise<ItemRules>;
}

const narrowPlan = { pointer: "/from", detail: "Choose a shorter window." };

/** The plan as JSON. Null: the account has no such panel. */
async function planPanel(
  { database, entities, computer, rules }: PlanDeps,
  {
    accountId,
    panelId,
    signal,
  }: { readonly accountId: string; readonly panelId: string; readonly signal: AbortSignal },
  request: PlanRequest,
): Promise<Buffer | Readable | null> {
  const panel = await definitionOf({ database, entities, computer }, { accountId, signal }, panelId);
  const content = await getPanel(database, accountId, panelId);
  if (panel === null || content === null) return null;
  checkPlan(panel, request);
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
    job: planJob,
    input: { panel, request, window, surface, prices },
    inputs: {
      failures: (db) => failurePages(db, accountId, selection, { measure }),
      answers: (db) => answerPages(db, accountId, selection),
    },
    signal,
    narrow: narrowPlan,
    memoryMiB: () => memoryForWindow(readsUntil(database, signal), accountId, selection),
  });
}

function checkPlan(panel: PanelDefinition, request: PlanRequest): void {
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
