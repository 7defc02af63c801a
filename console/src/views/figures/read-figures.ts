import {
  ForbiddenError,
  type CallOptions,
  type EntityRecord,
  type FigureRow,
  type PanelChanges,
  type PanelRecord,
  type PanelFigures,
  type SourceCount,
} from "@querent/client";
import { querent } from "../../api/querent.ts";
import { isOf, surfaceFilter, surfaceKey, windowOf, type Choice, type ChosenSurface } from "./choice.ts";

export interface Summary {
  readonly window: PanelFigures["window"];
  /** Those with answers, those with the most first. */
  readonly surfaces: readonly { readonly surface: ChosenSurface; readonly answers: number }[];
  readonly rows: readonly FigureRow[];
  /** As of the last run, whatever the window is. */
  readonly changes: PanelChanges;
  /** Own ones first, then competitors, by name. */
  readonly brands: readonly EntityRecord[];
}

export const brandMeasures = ["presence", "mention_share", "first_place", "first_place_of_all", "listed"] as const;

const productMeasures = ["product_rate", "product_position", "product_share", "shop_share"] as const;
const adMeasures = ["ad_rate", "ad_share", "own_ad_rate", "own_ad_share", "rival_ad_rate"] as const;

/** The figures of each brand on each surface. */
export async function readSummary(
  { panelId, brands }: Pick<PanelRecord, "panelId" | "brands">,
  choice: Pick<Choice, "days" | "from" | "to">,
  call: CallOptions,
): Promise<Summary> {
  const [{ window, rows }, changes, entities] = await Promise.all([
    querent.panels.figures(
      panelId,
      {
        measures: [...brandMeasures, "citation_rate", "empty_rate", "failure_rate", "refusal_rate"],
        ...windowOf(choice),
      },
      call,
    ),
    querent.panels.changes(panelId, call),
    Array.fromAsync(querent.entities.list({}, call)),
  ]);
  const surfaces = rows
    .filter(({ measure }) => measure === "empty_rate")
    .map((row) => ({ surface: row.group, answers: answersIn(row) }))
    .filter(({ answers }) => answers > 0)
    .toSorted((one, other) => other.answers - one.answers);
  return { window, surfaces, rows, changes, brands: brandsOf(entities, brands) };
}

/** Of all instruments. */
function answersIn({ thesePrompts, otherInstruments }: FigureRow): number {
  return otherInstruments.reduce((sum, other) => sum + other.thesePrompts.answers, thesePrompts.answers);
}

/** Those of the panel, with the relations that it gives them; if it has no set, those of the account. */
function brandsOf(entities: readonly EntityRecord[], brands: PanelRecord["brands"]): EntityRecord[] {
  const order = { own: 0, competitor: 1, other: 2 };
  const relations = new Map<string, EntityRecord["relation"]>([
    ...(brands?.own ?? []).map(({ entityId }) => [entityId, "own"] as const),
    ...(brands?.competitors ?? []).map(({ entityId }) => [entityId, "competitor"] as const),
  ]);
  return entities
    .map((one) => (brands === null ? one : { ...one, relation: relations.get(one.entityId) ?? ("other" as const) }))
    .filter(({ relation }) => relation !== "other")
    .toSorted((a, b) => order[a.relation] - order[b.relation] || a.name.localeCompare(b.name));
}

export interface Details {
  readonly runs: number;
  /** Presence of all brands on the surface, by day or run. */
  readonly series: readonly FigureRow[];
  /** Presence of one brand in stretches of some days: a single day has too few runs for an interval. */
  readonly stretches: readonly Stretch[];
  /** Presence of all brands on the surface in as many days before the window. */
  readonly before: readonly FigureRow[];
  /** Presence of the own brand and of its strongest competitor on the surface, by prompt. */
  readonly ownPrompts: readonly FigureRow[];
  readonly rivalPrompts: readonly FigureRow[];
  /** Sites that are cited for the competitor rather than for the own brand; null: not to be told. */
  readonly gap: readonly SourceGap[] | null;
  /** Presence of one brand by prompt, on all platforms in the locale and persona of the surface. */
  readonly prompts: readonly FigureRow[];
  /** Citation rate and share of the domains that most answers cite. */
  readonly citations: readonly FigureRow[];
  /** The measures of products, of the brands and of the shops in most answers. */
  readonly products: readonly FigureRow[];
  /** The measures of advertisements, of the brands and of the advertisers beside most answers. */
  readonly ads: readonly FigureRow[];
  /** By domain: counts of the headline, and when it was first and last cited in the window, whatever the instrument was. */
  readonly sources: ReadonlyMap<string, SourceCount>;
}

/** Of the answers that name a brand, the share that cites the site. */
export interface SourceGap {
  readonly site: string;
  readonly rivalShare: number;
  readonly ownShare: number;
}

export interface Stretch {
  readonly from: string;
  readonly to: string;
  readonly row: FigureRow | undefined;
}

export interface DetailsOf {
  readonly panelId: string;
  readonly window: PanelFigures["window"];
  /** What the figures of the surface are of, if there are answers of others: runs and sites are counted of the same. */
  readonly headline: { readonly from: string; readonly to: string; readonly instrument: string | null };
  readonly surface: ChosenSurface;
  readonly brandId: string | null;
  /** The first own brand, and the competitor that is named the most. */
  readonly ownId: string | null;
  readonly rivalId: string | null;
  readonly by: Choice["by"];
}

/**
 * What is shown of one surface, and of one brand. The service computes few of an account's figures at once, and refuses what has waited
 * for too long: the requests of a large panel are repeated.
 */
export async function readDetails(asked: DetailsOf, options: CallOptions): Promise<Details> {
  const call = { ...options, maxRetries: 5 };
  const { panelId, window, surface, brandId, by, headline } = asked;
  const filter = surfaceFilter(surface);
  const { platformCode: _, ...place } = filter;
  const [series, stretches, before, ownPrompts, rivalPrompts, gap, prompts, citations, shown, byRun, sources] =
    await Promise.all([
      brandId === null
        ? null
        : querent.panels.figures(panelId, { measures: ["presence"], by, ...filter, ...window }, call),
      readStretches(asked, call),
      brandId === null
        ? null
        : querent.panels.figures(panelId, { measures: ["presence"], ...filter, ...periodBefore(window) }, call),
      readPrompts(asked, asked.ownId, call),
      readPrompts(asked, asked.rivalId, call),
      readGap(asked, call),
      brandId === null
        ? null
        : querent.panels.figures(
            panelId,
            { measures: ["presence"], entityId: brandId, by: "prompt", ...place, ...window },
            call,
          ),
      querent.panels.figures(panelId, { measures: ["citation_rate", "citation_share"], ...filter, ...window }, call),
      querent.panels.figures(panelId, { measures: [...productMeasures, ...adMeasures], ...filter, ...window }, call),
      querent.panels.figures(panelId, { measures: ["empty_rate"], by: "run", ...filter, ...window }, call),
      readSources(asked, call),
    ]);
  const rowsIn = (measures: readonly FigureRow["measure"][]) =>
    shown.rows.filter(({ measure, group }) => measures.includes(measure) && isOf(surface, group));
  return {
    runs: byRun.rows.filter(
      ({ group, thesePrompts: { instrument } }) =>
        group.runId !== null &&
        isOf(surface, group) &&
        (headline.instrument === null || instrument.some((one) => JSON.stringify(one) === headline.instrument)),
    ).length,
    stretches,
    before: (before?.rows ?? []).filter(({ group }) => isOf(surface, group)),
    ownPrompts,
    rivalPrompts,
    gap,
    series: (series?.rows ?? []).filter(({ group }) => isOf(surface, group)),
    prompts: (prompts?.rows ?? []).filter(({ group }) => isOf({ ...surface, ...platformOf(group) }, group)),
    citations: citations.rows.filter(({ group }) => isOf(surface, group)),
    products: rowsIn(productMeasures),
    ads: rowsIn(adMeasures),
    sources,
  };
}

const platformOf = ({ platformCode, kind }: ChosenSurface) => ({ platformCode, kind });

const dayMs = 86_400_000;
const stretchDays = 7;
const stretchesMax = 13;

/** As many days before a window as it has. */
function periodBefore({ from, to }: DetailsOf["window"]): { from: string; to: string } {
  const start = Date.parse(from);
  return { from: new Date(2 * start - Date.parse(to)).toISOString(), to: from };
}

/** Only where there are both brands, whose prompts are compared. */
async function readPrompts(
  { panelId, window, surface, ownId, rivalId }: DetailsOf,
  entityId: string | null,
  call: CallOptions,
): Promise<readonly FigureRow[]> {
  if (entityId === null || ownId === null || rivalId === null) return [];
  const about = { measures: ["presence"], entityId, by: "prompt", ...surfaceFilter(surface), ...window } as const;
  const { rows } = await querent.panels.figures(panelId, about, call);
  return rows.filter(({ group }) => isOf(surface, group));
}

/** Sites that at least this share of the answers naming the competitor cite. */
const gapShareMin = 0.05;
const gapSitesMax = 3;

/**
 * Sites that answers naming the competitor cite at least twice as often as those naming the own brand. Where fewer than these many
 * answers name one of them, nothing is said.
 */
const gapAnswersMin = 20;

async function readGap(
  { panelId, headline, surface, ownId, rivalId }: DetailsOf,
  call: CallOptions,
): Promise<readonly SourceGap[] | null> {
  if (ownId === null || rivalId === null) return null;
  const filters = { panelId, ...surfaceFilter(surface), observedFrom: headline.from, observedBefore: headline.to };
  try {
    const [own, rival] = await Promise.all(
      [ownId, rivalId].map((entityId) =>
        querent.observations.sources({ ...filters, entityId, limit: sourcesMax }, call),
      ),
    );
    if (own === undefined || rival === undefined || Math.min(own.answers, rival.answers) < gapAnswersMin) return null;
    const ownAnswers = new Map(own.sources.map(({ domain, answers }) => [domain, answers]));
    return rival.sources
      .map(({ domain, answers }) => ({
        site: domain,
        rivalShare: answers / rival.answers,
        ownShare: (ownAnswers.get(domain) ?? 0) / own.answers,
      }))
      .filter(({ rivalShare, ownShare }) => rivalShare >= gapShareMin && rivalShare >= 2 * ownShare)
      .slice(0, gapSitesMax);
  } catch (error) {
    if (error instanceof ForbiddenError) return null;
    throw error;
  }
}

/** The window in stretches of a week, or longer ones, counted from its end. */
async function readStretches(
  { panelId, window, surface, brandId }: DetailsOf,
  call: CallOptions,
): Promise<readonly Stretch[]> {
  if (brandId === null) return [];
  const [first, end] = [Date.parse(window.from), Date.parse(window.to)];
  const stretchMs = Math.max(stretchDays, Math.ceil((end - first) / dayMs / stretchesMax)) * dayMs;
  const ends = Array.from({ length: Math.ceil((end - first) / stretchMs) }, (_, index) => end - index * stretchMs);
  const about = { measures: ["presence"], entityId: brandId, ...surfaceFilter(surface) };
  return Promise.all(
    ends.toReversed().map(async (to) => {
      const within = {
        from: new Date(Math.max(first, to - stretchMs)).toISOString(),
        to: new Date(to).toISOString(),
      };
      const { rows } = await querent.panels.figures(panelId, { ...about, ...within }, call);
      return { ...within, row: rows.find(({ group }) => isOf(surface, group)) };
    }),
  );
}

/** The most sites that are read. */
export const sourcesMax = 1000;

/**
 * The counts and types of sites, and those that only answers of other instruments in the window cite, with counts of 0: sites that may
 * have gone. A token that may not read answers goes without them.
 */
async function readSources(
  { panelId, headline, window, surface }: DetailsOf,
  call: CallOptions,
): Promise<Map<string, SourceCount>> {
  const read = async ({ from, to }: { readonly from: string; readonly to: string }) => {
    const filters = { panelId, ...surfaceFilter(surface), observedFrom: from, observedBefore: to, limit: sourcesMax };
    const { sources } = await querent.observations.sources(filters, call);
    return new Map(sources.map((source) => [source.domain, source]));
  };
  try {
    const [current, all] = await Promise.all([read(headline), headline.instrument === null ? null : read(window)]);
    if (all === null) return current;
    const sources = new Map(
      [...current].map(([domain, source]) => [domain, { ...source, ...timesOf(all.get(domain)) }]),
    );
    for (const [domain, source] of all)
      if (!sources.has(domain)) sources.set(domain, { ...source, answers: 0, citations: 0, share: 0 });
    return sources;
  } catch (error) {
    if (error instanceof ForbiddenError) return new Map();
    throw error;
  }
}

const timesOf = (source: SourceCount | undefined) =>
  source === undefined ? {} : { firstCitedAt: source.firstCitedAt, lastCitedAt: source.lastCitedAt };

/** The row of a measure about an entity or a domain on a surface. */
export function rowOf(
  rows: readonly FigureRow[],
  wanted: { readonly measure: FigureRow["measure"]; readonly surface: ChosenSurface; readonly about: string | null },
): FigureRow | undefined {
  const key = surfaceKey(wanted.surface);
  return rows.find(
    ({ measure, group }) =>
      measure === wanted.measure && (group.entityId ?? group.domain) === wanted.about && surfaceKey(group) === key,
  );
}

/** The instrument that the figures of a surface are of, and its time: any in the window, if there is but one. */
export function headlineOf({ rows, window }: Summary, surface: ChosenSurface): DetailsOf["headline"] {
  const row = rows.find(({ measure, group }) => measure === "empty_rate" && isOf(surface, group));
  const { from, to } = row?.thesePrompts.window ?? window;
  const [instrument] = row?.thesePrompts.instrument ?? [];
  if (row === undefined || row.otherInstruments.length === 0 || from === null || to === null)
    return { ...window, instrument: null };
  return { from, to, instrument: instrument === undefined ? null : JSON.stringify(instrument) };
}
