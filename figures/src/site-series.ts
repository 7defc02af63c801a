import type { Answer } from "./answer.ts";
import type { CellDay, ChangeSeries } from "./change-series.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { isAtOneOf, whyDomainsAreMissing } from "./readings.ts";
import type { Surface } from "./state-figures.ts";

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
