import { api } from "@querent/contract";
import { hasBounds, measures as definedMeasures, type PanelDefinition, type Instrument } from "@querent/figures";
import { ProblemError } from "../../api/problem-error.ts";
import { negotiate } from "../../api/negotiate.ts";
import { route, type Route, type RouteRequest } from "../../api/route.ts";
import { readsUntil, type Database, type Queryable } from "../../db/index.ts";
import { memoryForAnswers, type Computation, type Computer } from "../../computing/computer.ts";
import type { EntitySearch } from "../../observations/entities/entity-search.ts";
import {
  answerPages,
  memoryForWindow,
  narrowWindow,
  countWindow,
  type AnswerSelection,
} from "../../observations/answers/answer-pages.ts";
import { definitionWords } from "./definition-words.ts";
import { job as figureJob, type FigureInput } from "./figure-job.ts";
import { job as pairsJob } from "./pairs-job.ts";
import { entitiesApart, entityPages } from "../../observations/entities/entity-rows.ts";
import { partPages } from "./answer-parts.ts";
import { job as pricesJob } from "./prices-job.ts";
import { job as searchesJob } from "./searches-job.ts";
import { projectOfPanel } from "../../panels/definitions/panels.ts";
import { readDefinition } from "../../panels/definitions/read-definition.ts";
import { failurePages } from "./read-failures.ts";
import { measuresOf, partsOf, requireEntity, type AskedMeasures, windowOf, type FigureWindow } from "./requests.ts";
import type { Readable } from "node:stream";
import { job as comparisonJob, type ArmInput } from "./comparison-job.ts";

export interface FigureRoutesDeps {
  readonly database: Database;
  readonly entities: EntitySearch;
  readonly computer: Computer;
}

export function figureRoutes({ database, entities, computer }: FigureRoutesDeps): Route[] {
  return [
    route(api.getFigures, async ({ caller: { accountId }, params, query, headers, signal }) => {
      const window = await windowOf(database, { accountId, panelId: params.panel_id }, query);
      const panel = await definitionOf({ database, entities, computer }, { accountId, signal }, params.panel_id);
      if (panel === null) throw new ProblemError("not_found", "There is no such panel.");
      const format = negotiate(headers["accept"], ["application/json", "text/csv"]) === "text/csv" ? "csv" : "json";
      const body = await computer.reply(computationOf(database, accountId, { panel, window, query, format, signal }));
      return { status: 200, headers: { "content-type": figureTypes[format], vary: "Accept" }, body };
    }),

    route(api.comparePanel, async ({ caller: { accountId }, params, query, signal }) => {
      const {
        measure,
        entityId,
        domain,
        sourceType,
        platformCode,
        locale,
        persona,
        kind,
        importId,
        from,
        to,
        ...other
      } = query;
      const body = await comparePanel(
        { database, entities, computer },
        { accountId, signal },
        {
          ...{ panelId: params.panel_id, measure, entityId, domain, sourceType },
          one: { platformCode, locale, persona, kind, importId, from, to },
          other: {
            panelId: other.withPanelId,
            platformCode: other.withPlatformCode,
            locale: other.withLocale,
            persona: other.withPersona,
            kind: other.withKind,
            importId: other.withImportId,
            from: other.withFrom,
            to: other.withTo,
          },
        },
      );
      return { status: 200, headers: jsonHeaders, body };
    }),

    route(api.listPairs, async ({ caller: { accountId }, params, query, signal }) => {
      const {
        measure = "first_place_changes_between_runs",
        all = false,
        promptId = null,
        kind,
        from,
        to,
        ...surface
      } = query;
      const panel = await definitionOf({ database, entities, computer }, { accountId, signal }, params.panel_id);
      if (panel === null) throw new ProblemError("not_found", "There is no such panel.");
      const window = await windowOf(database, { accountId, panelId: panel.panelId }, { from, to });
      const selection = { panelId: panel.panelId, ...window, ...surface };
      const body = await computer.reply({
        accountId,
        job: pairsJob,
        input: { panel, measure, all, promptId, ...(kind === undefined ? {} : { kind }), window },
        inputs: { answers: (db) => answerPages(db, accountId, selection, partsOf({ measure })) },
        signal,
        narrow: narrowWindow,
        memoryMiB: () => memoryForWindow(readsUntil(database, signal), accountId, selection),
      });
      return { status: 200, headers: jsonHeaders, body };
    }),

    route(api.listPanelSearches, async ({ caller: { accountId }, params, query, signal }) => {
      const { kind = "search", by = "none", entityId, limit = listedDefault, promptId, from, to, ...surface } = query;
      const panel = await definitionOf({ database, entities, computer }, { accountId, signal }, params.panel_id);
      if (panel === null) throw new ProblemError("not_found", "There is no such panel.");
      requireEntity(panel, { entityId });
      const window = await windowOf(database, { accountId, panelId: panel.panelId }, { from, to });
      const selection = {
        panelId: panel.panelId,
        ...window,
        ...surface,
        ...(promptId === undefined ? {} : { promptId }),
      };
      const body = await computer.reply({
        accountId,
        job: searchesJob,
        input: { panel, choice: { kind, by, limit, ...(entityId === undefined ? {} : { entityId }) }, window },
        inputs: {
          // The one that is asked for may be none of the panel's brands.
          entities: (db) =>
            entityPages(db, accountId, [
              ...new Set([...comparedIn(panel), ...(entityId === undefined ? [] : [entityId])]),
            ]),
          answers: (db) => partPages(db, accountId, selection, "searches"),
        },
        signal,
        narrow: narrowWindow,
        memoryMiB: () => memoryForWindow(readsUntil(database, signal), accountId, selection),
      });
      return { status: 200, headers: jsonHeaders, body };
    }),

    route(api.listPanelPrices, async ({ caller: { accountId }, params, query, signal }) => {
      const projectOf = async (id: string) => (await projectOfPanel(database, accountId, id)) ?? accountId;
      const { entityId, shop, currency, limit = listedDefault, promptId, from, to, ...surface } = query;
      const panel = await definitionOf({ database, entities, computer }, { accountId, signal }, params.panel_id);
      if (panel === null) throw new ProblemError("not_found", "There is no such panel.");
      requireEntity(panel, { entityId });
      const window = await windowOf(database, { accountId, panelId: panel.panelId }, { from, to });
      const selection = {
        panelId: panel.panelId,
        ...window,
        ...surface,
        ...(promptId === undefined ? {} : { promptId }),
      };
      const choice = {
        limit,
        ...(entityId === undefined ? {} : { entityId }),
        ...(shop === undefined ? {} : { shop }),
        ...(currency === undefined ? {} : { currency }),
      };
      const body = await computer.reply({
        accountId,
        job: pricesJob,
        input: {
          panel: { panelId: panel.panelId, revision: panel.revision },
          entities: await entitiesApart(database, accountId, await projectOf(panel.panelId)),
          choice,
          window,
        },
        inputs: { answers: (db) => partPages(db, accountId, selection, "offers") },
        signal,
        narrow: narrowWindow,
        memoryMiB: () => memoryForWindow(readsUntil(database, signal), accountId, selection),
      });
      return { status: 200, headers: jsonHeaders, body };
    }),

    route(api.listMeasures, ({ query: { language = "en" } }) => {
      const spoken = definedMeasures.map((measure) => ({ ...measure, ...definitionWords(measure, language) }));
      return Promise.resolve({ status: 200, body: { measures: spoken } });
    }),
  ];
}

/** The panel's own entities and competitors. */
const comparedIn = ({ entities }: PanelDefinition): string[] =>
  entities.filter(({ relation }) => relation !== "other").map(({ entityId }) => entityId);

/** As the operations state it. */
const listedDefault = 50;

/** The definition of a panel, read in the account's place among those who compute: it may take long. */
export const definitionOf = (
  { database, entities, computer }: FigureRoutesDeps,
  { accountId, signal }: { readonly accountId: string; readonly signal: AbortSignal },
  panelId: string,
) =>
  computer.prepare({ accountId, signal }, () =>
    readDefinition(readsUntil(database, signal), entities, accountId, panelId),
  );

/** The body is JSON already. */
export const jsonHeaders = { "content-type": "application/json; charset=utf-8" } as const;

export const figureTypes = {
  json: jsonHeaders["content-type"],
  csv: "text/csv; charset=utf-8; header=present",
} as const;
export type FigureFormat = keyof typeof figureTypes;
export type FiguresAsked = RouteRequest<typeof api.getFigures>["query"];

export function computationOf(
  database: Database,
  accountId: string,
  {
    panel,
    window,
    query,
    format,
    signal,
  }: { panel: PanelDefinition; window: FigureWindow; query: FiguresAsked; format: FigureFormat; signal: AbortSignal },
): Computation<FigureInput> {
  const { measure, entityId, domain, sourceType, by = "none", blend = false, from: _, to: __, ...surface } = query;
  const measures = { measure, entityId, domain, sourceType };
  requireEntity(panel, measures);
  // Failed tasks make the bounds of shares.
  const failing = measuresOf(measures).some(hasBounds) ? "all" : measures;
  const selection = { panelId: panel.panelId, ...window, ...withoutOtherPlatforms(surface, measure) };
  return {
    accountId,
    job: figureJob,
    input: { panel, measures, surface, window, by, blend, format },
    inputs: {
      failures: (db) => failurePages(db, accountId, selection, failing),
      answers: (db) => answerPages(db, accountId, selection, partsOf(measures)),
    },
    signal,
    narrow: by === "none" ? narrowWindow : narrowFigures,
    memoryMiB: () => memoryForWindow(readsUntil(database, signal), accountId, selection),
  };
}

const narrowFigures = {
  ...narrowWindow,
  detail: "Choose a shorter window, a platform, fewer measures, or an `entityId`.",
};

/** The measure that compares platforms needs the answers of the others, too. */
function withoutOtherPlatforms<Surface extends { platformCode?: string }>(
  surface: Surface,
  measure: string | undefined,
): Omit<Surface, "platformCode"> & { platformCode?: string } {
  if (measure?.includes("platform_source_agreement") !== true) return surface;
  const { platformCode: _, ...others } = surface;
  return others;
}

interface CompareDeps {
  readonly database: Database;
  readonly entities: EntitySearch;
  readonly computer: Computer;
}

interface AskedArm {
  readonly platformCode?: string | undefined;
  readonly locale?: string | undefined;
  readonly persona?: string | undefined;
  readonly kind?: Instrument["kind"] | undefined;
  readonly importId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface ComparisonRequest extends AskedMeasures {
  readonly panelId: string;
  readonly one: AskedArm;
  /** What is left out is as in the first arm, but for the kind and the import. */
  readonly other: AskedArm & { readonly panelId?: string | undefined };
}

const narrow = { pointer: "?from", detail: "Choose a shorter window." };

const namesOf = { platformCode: "platformCode", locale: "locale", persona: "persona", kind: "kind" } as const;
const namesOfOther = {
  platformCode: "withPlatformCode",
  locale: "withLocale",
  persona: "withPersona",
  kind: "withKind",
} as const;

/** The differences as JSON. */
async function comparePanel(
  { database, entities, computer }: CompareDeps,
  { accountId, signal }: { readonly accountId: string; readonly signal: AbortSignal },
  { panelId, one, other, ...measures }: ComparisonRequest,
): Promise<Buffer | Readable> {
  const otherPanelId = other.panelId ?? panelId;
  const deps = { database, entities, computer };
  const first = await definitionOf(deps, { accountId, signal }, panelId);
  if (first === null) throw new ProblemError("not_found", "There is no such panel.");
  const second = otherPanelId === panelId ? first : await definitionOf(deps, { accountId, signal }, otherPanelId);
  if (second === null) throw invalid("?withPanelId", "There is no such panel.");
  if (second !== first) {
    const [project, otherProject] = await Promise.all(
      [panelId, otherPanelId].map((id) => projectOfPanel(database, accountId, id)),
    );
    if (project !== otherProject)
      throw invalid("?withPanelId", "The panel is of another project. Figures of projects are kept apart.");
  }
  requireEntity(first, measures);
  const asked = measuresOf(measures);
  if (asked.includes("platform_source_agreement"))
    throw invalid("?measure", "`platform_source_agreement` compares platforms already.");
  const window = await windowOf(database, { accountId, panelId }, one);
  const otherWindow = await windowOf(
    database,
    { accountId, panelId: otherPanelId },
    { from: other.from ?? window.from, to: other.to ?? window.to },
    { from: "?withFrom", to: "?withTo" },
  );
  const selections = {
    one: selectionOf(panelId, window, one),
    other: selectionOf(otherPanelId, otherWindow, {
      platformCode: other.platformCode ?? one.platformCode,
      locale: other.locale ?? one.locale,
      persona: other.persona ?? one.persona,
      importId: other.importId,
    }),
  };
  const armOf = (definition: PanelDefinition, name: keyof typeof selections): ArmInput => ({
    panel: definition,
    window: name === "one" ? window : otherWindow,
    kind: (name === "one" ? one : other).kind ?? null,
    importId: selections[name].importId ?? null,
    names: name === "one" ? namesOf : namesOfOther,
  });
  const selected = (of: unknown) => selections[of === "one" ? "one" : "other"];
  const failing = asked.some(hasBounds) ? "all" : measures;
  const countAnswers = (db: Queryable) =>
    Promise.all(Object.values(selections).map((selection) => countWindow(db, accountId, selection)));
  return computer.reply({
    accountId,
    job: comparisonJob,
    input: {
      measures,
      one: armOf(first, "one"),
      other: armOf(second, "other"),
    },
    inputs: {
      failures: (db, of) => failurePages(db, accountId, selected(of), failing),
      answers: (db, of) => answerPages(db, accountId, selected(of), partsOf(measures)),
    },
    signal,
    narrow,
    memoryMiB: async () => {
      const counts = await countAnswers(readsUntil(database, signal));
      return memoryForAnswers(counts.reduce((sum, count) => sum + count, 0));
    },
  });
}

function selectionOf(
  panelId: string,
  window: { readonly from: string; readonly to: string },
  { platformCode, locale, persona, importId }: AskedArm,
): AnswerSelection {
  return {
    panelId,
    ...window,
    ...(platformCode === undefined ? {} : { platformCode }),
    ...(locale === undefined ? {} : { locale }),
    ...(persona === undefined ? {} : { persona }),
    ...(importId === undefined ? {} : { importId }),
  };
}

const invalid = (pointer: string, detail: string) =>
  new ProblemError("validation_failed", "This cannot be compared.", {
    errors: [{ pointer, code: "not_allowed", detail }],
  });
