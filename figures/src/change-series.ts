import type { Answer, Instrument } from "./answer.ts";
import type { PanelDefinition, PanelEntity } from "./panel-definition.ts";
import { comparableAnswers, namesChangedAt, wordingsOf } from "./panel-history.ts";
import { isAtOneOf, readings, subjectOf, whyDomainsAreMissing, type Subject } from "./readings.ts";
import type { InstrumentDay } from "./segments.ts";
import type { Surface } from "./state-figures.ts";
import type { MeasureId } from "@querent/contract";

/** What a series is about: a measure of an entity, or of a site. */
export interface SeriesSubject {
  readonly measure: MeasureId;
  /** Null: it is about a site. */
  readonly entityId: string | null;
  /** Null: it is about an entity. */
  readonly domain: string | null;
}

/** As a request for its figures names it. */
export const aboutSubject = ({ entityId, domain }: Pick<SeriesSubject, "entityId" | "domain">) => ({
  ...(entityId === null ? {} : { entityId }),
  ...(domain === null ? {} : { domain }),
});

/** One measure of one entity or site on one surface, over the days. */
export interface ChangeSeries extends SeriesSubject, Surface {
  /** Whether an own entity is named at all: half of the false alarms that are allowed are left to these series. */
  readonly isMain: boolean;
  readonly sums: CellDay[];
}

/** The answers of one prompt with one instrument on one day, added up. */
export interface CellDay {
  readonly promptId: string;
  readonly weight: number;
  readonly instrument: string;
  readonly day: string;
  value: number;
  of: number;
  answers: number;
}

/** What one platform's answers were taken with. */
export interface InstrumentDays {
  readonly platformCode: string;
  readonly kind: Instrument["kind"];
  readonly days: readonly InstrumentDay[];
  readonly instruments: ReadonlyMap<string, Instrument>;
}

export interface PanelSeries {
  readonly series: readonly ChangeSeries[];
  readonly platforms: readonly InstrumentDays[];
}

/** The measures whose changes are looked for. Each more one raises the evidence that all of them need. */
const watched: Readonly<Record<"own" | "competitor", readonly MeasureOfEntity[]>> = {
  own: ["presence", "mention_share", "listed", "own_citation_rate"],
  competitor: ["presence"],
};
type MeasureOfEntity = Extract<MeasureId, "presence" | "mention_share" | "listed" | "own_citation_rate">;

/**
 * The series of a panel in which changes are looked for, from its answers in the order of time: those that could be given to the panel
 * as it is now. A prompt that was reworded begins anew, as does a brand with a new name whose answers were not searched for it.
 */
export function collectSeries(panel: PanelDefinition, answers: Iterable<Answer>): PanelSeries {
  const { add, finish } = startSeries(panel);
  for (const answer of answers) add(answer);
  return finish();
}

/** The same, answer by answer; or only the series of one subject. */
export function startSeries(
  panel: PanelDefinition,
  only?: SeriesSubject,
): { add: (answer: Answer) => void; finish: () => PanelSeries } {
  const wordings = wordingsOf(panel);
  const promptOf = comparableAnswers(panel);
  const subjects = watchedIn(panel).filter(
    ({ measure, entity }) => only === undefined || (only.measure === measure && only.entityId === entity.entityId),
  );
  const sites = only === undefined || only.domain !== null ? startSites(panel, only?.domain ?? undefined) : null;
  const series = new Map<string, CollectedSeries>();
  const platforms = new Map<string, CollectedDays>();
  return {
    add(answer) {
      if (wordings.get(wordings.keyOf(answer)) === undefined) return;
      const instrument = instrumentKey(answer.instrument);
      countInstrument(platforms, answer, instrument);
      const prompt = promptOf(answer);
      if (prompt === null) return;
      const { promptId, weight = 1 } = prompt;
      const cell = { promptId, weight, instrument, day: dayOf(answer) };
      sites?.add(answer, cell);
      for (const subject of subjects) {
        if (subject.branded.has(promptId) || answer.recordedAt < subject.namesChangedAt) continue;
        const reading = readings[subject.measure](answer, subject);
        if (typeof reading === "string" || "missing" in reading) continue;
        const { value, of = 1 } = reading;
        const times = 1 / (answer.probability ?? 1);
        addTo(seriesFor(series, answer, subject), { ...cell, value: times * value, of: times * of });
      }
    },
    finish: () => ({
      series: [...[...series.values()].map((one) => one.series), ...(sites?.finish() ?? [])],
      platforms: [...platforms.values()].map(({ days, ...platform }) => ({ ...platform, days: [...days.values()] })),
    }),
  };
}

interface Watched extends Subject {
  readonly measure: MeasureOfEntity;
  readonly entity: PanelEntity;
  /** The prompts that name what is counted. */
  readonly branded: ReadonlySet<string>;
  readonly namesChangedAt: string;
}

/** When the names last changed that a measure of an entity depends on; those of a site depend on none. */
export function namesOf(panel: PanelDefinition, measure: MeasureId, entityId: string | null): string {
  if (measure === "own_citation_rate" || entityId === null) return "";
  return namesChangedAt(
    panel.entities.filter(
      (one) => one.entityId === entityId || (measure === "mention_share" && one.relation !== "other"),
    ),
  );
}

function watchedIn(panel: PanelDefinition): Watched[] {
  return panel.entities.flatMap((entity) => {
    if (entity.relation === "other") return [];
    const subject = subjectOf(panel, { entityId: entity.entityId });
    const measures = watched[entity.relation].filter(
      (measure) => measure !== "own_citation_rate" || entity.domains.length > 0,
    );
    return measures.map((measure) => {
      const named = measure === "mention_share" ? subject.compared : new Set([entity.entityId]);
      const branded = panel.prompts.filter((prompt) => prompt.branded.some((entityId) => named.has(entityId)));
      return {
        ...subject,
        entity,
        measure,
        branded: new Set(branded.map(({ promptId }) => promptId)),
        namesChangedAt: namesOf(panel, measure, entity.entityId),
      };
    });
  });
}

/**
 * The series of a panel that are looked at, and whether one of them is a main one. Null: changes of the measure are not looked for.
 *
 * @param sites those that are watched on a surface: every surface is taken to have as many
 */
export function countWatched(
  panel: PanelDefinition,
  { measure, entityId, domain }: Pick<FigureSubject, "measure" | "entityId" | "domain">,
  sites: readonly string[],
): { readonly main: number; readonly others: number; readonly isMain: boolean } | null {
  const all = watchedIn(panel);
  const isMain = (one: Watched) => one.measure === "presence" && one.entity.relation === "own";
  const asked = all.find((one) => one.measure === measure && one.entity.entityId === entityId);
  const isSite = measure === "citation_rate" && domain !== undefined && sites.includes(domain);
  if (asked === undefined && !isSite) return null;
  const { platforms, locales, personas } = panel;
  const surfaces = platforms.length * Math.max(1, locales.length) * Math.max(1, personas.length);
  const main = all.filter(isMain).length;
  return {
    main: surfaces * main,
    others: surfaces * (all.length - main + sites.length),
    isMain: asked !== undefined && isMain(asked),
  };
}

interface FigureSubject {
  readonly measure: MeasureId;
  readonly entityId: string | undefined;
  readonly domain: string | undefined;
}

/** The sites that are watched on the surface that has most of these answers. */
export function sitesWatched(panel: PanelDefinition, answers: readonly Answer[]): string[] {
  const { platforms, series } = collectSeries(panel, answers);
  if (platforms.length === 0) return [];
  const bySurface = Map.groupBy(
    series.filter(({ domain }) => domain !== null),
    ({ platformCode, kind, locale, persona }) => JSON.stringify([platformCode, kind, locale, persona]),
  );
  const [most = []] = [...bySurface.values()].toSorted((one, other) => other.length - one.length);
  return most.flatMap(({ domain }) => domain ?? []);
}

interface CollectedSeries {
  readonly series: ChangeSeries;
  readonly cells: Map<string, CellDay>;
}

function seriesFor(all: Map<string, CollectedSeries>, answer: Answer, { measure, entity }: Watched): CollectedSeries {
  const { platformCode, instrument, locale, persona } = answer;
  const key = JSON.stringify([measure, entity.entityId, platformCode, instrument.kind, locale, persona]);
  let found = all.get(key);
  if (found === undefined) {
    const surface = { platformCode, kind: instrument.kind, locale, persona };
    const about = { measure, entityId: entity.entityId, domain: null, ...surface };
    const isMain = entity.relation === "own" && measure === "presence";
    found = { series: { ...about, isMain, sums: [] }, cells: new Map() };
    all.set(key, found);
  }
  return found;
}

function addTo({ series, cells }: CollectedSeries, { value, of, ...cell }: Omit<CellDay, "answers">): void {
  const key = JSON.stringify([cell.promptId, cell.instrument, cell.day]);
  let sum = cells.get(key);
  if (sum === undefined) {
    sum = { ...cell, value: 0, of: 0, answers: 0 };
    cells.set(key, sum);
    series.sums.push(sum);
  }
  sum.value += value;
  sum.of += of;
  sum.answers += of > 0 ? 1 : 0;
}

interface CollectedDays extends Omit<InstrumentDays, "days" | "instruments"> {
  readonly days: Map<string, { day: string; runId: string | null; answers: Map<string, number> }>;
  readonly instruments: Map<string, Instrument>;
}

function countInstrument(platforms: Map<string, CollectedDays>, answer: Answer, instrument: string): void {
  const { platformCode, runId } = answer;
  const { kind } = answer.instrument;
  const key = JSON.stringify([platformCode, kind]);
  let platform = platforms.get(key);
  if (platform === undefined) {
    platform = { platformCode, kind, days: new Map(), instruments: new Map() };
    platforms.set(key, platform);
  }
  platform.instruments.set(instrument, answer.instrument);
  const day = dayOf(answer);
  let known = platform.days.get(day);
  if (known === undefined) {
    known = { day, runId, answers: new Map() };
    platform.days.set(day, known);
  }
  known.answers.set(instrument, (known.answers.get(instrument) ?? 0) + 1);
}

const dayOf = ({ observedAt }: Answer) => observedAt.slice(0, 10);

export const instrumentKey = ({ kind, modelVersion, recipe, reader, matcher, sourceRules }: Instrument) =>
  JSON.stringify([kind, modelVersion, recipe, reader, matcher, sourceRules]);

/**
 * The sites of a surface whose citations are watched: those that most answers cite, if so many and such a share of its answers do.
 * Each more one raises the evidence that all series of the panel need, and of a site that few answers cite, hardly any change
 * could be found. How the citations are spread over the days does not decide which sites are watched.
 */
export const watchedSites = { sites: 20, answers: 30, share: 0.02 } as const;

type Cell = Pick<CellDay, "promptId" | "weight" | "instrument" | "day">;

interface SurfaceSites {
  readonly surface: Surface;
  /** The answers whose sources are known, by prompt, instrument and day. */
  readonly cells: (Cell & { of: number; answers: number })[];
  readonly places: Map<string, number>;
  readonly sites: Map<string, CitingAnswers>;
  answers: number;
}

interface CitingAnswers {
  answers: number;
  /** What the answers that cite the site count, by the place of their cell. */
  readonly values: Map<number, number>;
}

/**
 * Collects how many answers cite each site, from answers in the order of time. `only`: one domain, whether it is watched or not. The
 * domains of own entities are left out: `own_citation_rate` is about them.
 */
export function startSites(
  panel: PanelDefinition,
  only?: string,
): { add: (answer: Answer, cell: Cell) => void; finish: () => ChangeSeries[] } {
  const own = panel.entities.flatMap(({ relation, domains }) => (relation === "own" ? domains : []));
  const isWatched = (domain: string) =>
    domain !== "" && (only === undefined ? !isAtOneOf(own, domain) : domain === only);
  const surfaces = new Map<string, SurfaceSites>();
  return {
    add(answer, cell) {
      if (whyDomainsAreMissing(answer) !== null) return;
      const surface = surfaceFor(surfaces, answer);
      const weight = 1 / (answer.probability ?? 1);
      const place = placeFor(surface, cell);
      const sum = surface.cells[place];
      if (sum === undefined) return;
      sum.of += weight;
      sum.answers++;
      surface.answers++;
      for (const domain of new Set(answer.sources.map((source) => source.domain))) {
        if (!isWatched(domain)) continue;
        let site = surface.sites.get(domain);
        if (site === undefined) surface.sites.set(domain, (site = { answers: 0, values: new Map() }));
        site.answers++;
        site.values.set(place, (site.values.get(place) ?? 0) + weight);
      }
    },
    finish: () =>
      [...surfaces.values()].flatMap((surface) =>
        (only === undefined ? mostCitedIn(surface) : [only]).map((domain) => seriesOf(surface, domain)),
      ),
  };
}

function surfaceFor(all: Map<string, SurfaceSites>, answer: Answer): SurfaceSites {
  const { platformCode, locale, persona } = answer;
  const { kind } = answer.instrument;
  const key = JSON.stringify([platformCode, kind, locale, persona]);
  let found = all.get(key);
  if (found === undefined) {
    const surface = { platformCode, kind, locale, persona };
    found = { surface, cells: [], places: new Map(), sites: new Map(), answers: 0 };
    all.set(key, found);
  }
  return found;
}

function placeFor({ cells, places }: SurfaceSites, cell: Cell): number {
  const key = JSON.stringify([cell.promptId, cell.instrument, cell.day]);
  let place = places.get(key);
  if (place === undefined) {
    place = cells.length;
    places.set(key, place);
    cells.push({ ...cell, of: 0, answers: 0 });
  }
  return place;
}

/** By the number of answers that cite them, then by name. */
function mostCitedIn({ sites, answers: all }: SurfaceSites): string[] {
  const floor = Math.max(watchedSites.answers, watchedSites.share * all);
  return [...sites]
    .filter(([, { answers }]) => answers >= floor)
    .toSorted(([one, a], [other, b]) => b.answers - a.answers || (one < other ? -1 : 1))
    .slice(0, watchedSites.sites)
    .map(([domain]) => domain);
}

function seriesOf({ surface, cells, sites }: SurfaceSites, domain: string): ChangeSeries {
  const values = sites.get(domain)?.values;
  const sums = cells.map((cell, place): CellDay => ({ ...cell, value: values?.get(place) ?? 0 }));
  return { measure: "citation_rate", entityId: null, domain, ...surface, isMain: false, sums };
}
