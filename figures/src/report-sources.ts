import type { Answer, SourceInAnswer } from "./answer.ts";
import type { PanelDefinition, PanelEntity } from "./panel-definition.ts";
import { coreAndTail } from "./stability.ts";
import type { Surface } from "./state-figures.ts";
import { byRun, bySurface, type SurfaceAnswers } from "./surfaces.ts";

/** The most domains of a surface that are listed. */
const domainsMax = 50;
/** Domains and types of sites whose figures are stated with intervals. */
const mostCitedMax = 10;

export interface SurfaceSources extends Surface {
  /** Answers whose sources are known. */
  readonly answers: number;
  /** Answers whose sources are not: the platform does not show them, they could not be read, or there is no text. */
  readonly leftOut: number;
  readonly citations: number;
  /** Most answers first, then by name. */
  readonly domains: readonly CitedDomain[];
  /** How many more there are. */
  readonly domainsNotListed: number;
  readonly types: readonly { readonly type: string; readonly citations: number; readonly share: number }[];
  readonly relations: readonly {
    readonly relation: PanelEntity["relation"];
    readonly citations: number;
    readonly share: number;
  }[];
  /** Domains that at least 80 % of the runs cite; how many others there are. Null for a single run. */
  readonly core: readonly string[] | null;
  readonly tail: number | null;
}

export interface CitedDomain {
  readonly domain: string;
  readonly type: string | null;
  /** Whose site it is, by the entities' domains. */
  readonly relation: PanelEntity["relation"];
  readonly answers: number;
  readonly citations: number;
  /** Of the citations of the surface. */
  readonly share: number;
}

/** The domains or types of sites that most answers cite, by their number, then by name. */
export function mostCited(answers: readonly Answer[], member: "domain" | "type"): string[] {
  const counts = new Map<string, number>();
  for (const { sources } of answers)
    for (const cited of new Set(sources.map((source) => source[member] ?? "")))
      if (cited !== "") counts.set(cited, (counts.get(cited) ?? 0) + 1);
  const byCount = [...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return byCount.slice(0, mostCitedMax).map(([cited]) => cited);
}

/** The sources that the answers of each surface cite, each canonical URL once for each answer; pauses after each surface. */
export function* countSources(
  panel: PanelDefinition,
  answers: readonly Answer[],
): Generator<void, SurfaceSources[], void> {
  const asked = new Set(panel.prompts.map(({ promptId }) => promptId));
  const relationOf = relationsOf(panel);
  const counted: SurfaceSources[] = [];
  for (const of of bySurface(answers.filter(({ promptId }) => asked.has(promptId)))) {
    yield;
    counted.push(sourcesOf(of, relationOf));
  }
  return counted;
}

function sourcesOf({ answers: all, ...surface }: SurfaceAnswers, relationOf: RelationOf): SurfaceSources {
  const known = all.filter(hasKnownSources);
  const cited = known.flatMap(({ sources }) => sources);
  const domains = countDomains(known, relationOf);
  const perRun = byRun(known).map((run) => new Set(run.answers.flatMap(({ sources }) => sources.map(domainOf))));
  const { core, tail } = coreAndTail(perRun);
  return {
    ...surface,
    answers: known.length,
    leftOut: all.length - known.length,
    citations: cited.length,
    domains: domains.slice(0, domainsMax),
    domainsNotListed: Math.max(0, domains.length - domainsMax),
    types: shares(cited.map(({ type }) => type ?? "hidden")).map(([type, rest]) => ({ type, ...rest })),
    relations: shares(cited.map(relationOf)).map(([relation, rest]) => ({ relation, ...rest })),
    core: perRun.length < 2 ? null : core.toSorted(),
    tail: perRun.length < 2 ? null : tail.length,
  };
}

const unknownSources = ["empty", "not_exposed:sources", "parse_failed:sources", "opaque_sources"];
const hasKnownSources = ({ flags }: Answer): boolean => !flags.some((flag) => unknownSources.includes(flag));

const domainOf = ({ domain }: SourceInAnswer) => domain;

function countDomains(answers: readonly Answer[], relationOf: RelationOf): CitedDomain[] {
  const found = new Map<
    string,
    Omit<CitedDomain, "share" | "answers" | "citations"> & { answers: number; citations: number }
  >();
  let total = 0;
  for (const { sources } of answers) {
    const seen = new Set<string>();
    for (const source of sources) {
      const { domain, type } = source;
      const one = found.get(domain) ?? { domain, type, relation: relationOf(source), answers: 0, citations: 0 };
      one.citations++;
      total++;
      if (!seen.has(domain)) one.answers++;
      seen.add(domain);
      found.set(domain, one);
    }
  }
  return [...found.values()]
    .toSorted((a, b) => b.answers - a.answers || (a.domain < b.domain ? -1 : 1))
    .map((one) => ({ ...one, share: one.citations / total }));
}

type RelationOf = (source: SourceInAnswer) => PanelEntity["relation"];

/** Whose site a source is. Remembers it: most sources are cited by many answers. */
function relationsOf({ entities }: PanelDefinition): RelationOf {
  const known = new Map<string, PanelEntity["relation"]>();
  const find = (host: string) => {
    const whose = entities.filter(({ domains }) => domains.some((one) => host === one || host.endsWith(`.${one}`)));
    const relations = ["own", "competitor"] as const;
    return relations.find((relation) => whose.some((one) => one.relation === relation)) ?? "other";
  };
  return ({ canonicalUrl, domain }) => {
    const before = known.get(canonicalUrl);
    if (before !== undefined) return before;
    const host = /^[a-z]+:\/\/([^/?#:]+)/.exec(canonicalUrl)?.[1];
    // Without a host in the URL, the domain decides, and that of another answer may differ.
    if (host === undefined) return find(domain);
    const relation = find(host);
    known.set(canonicalUrl, relation);
    return relation;
  };
}

/** How often each item is there; most first, then by name. */
function shares<Item extends string>(items: readonly Item[]): [Item, { citations: number; share: number }][] {
  const counts = new Map<Item, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts]
    .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([item, citations]) => [item, { citations, share: citations / items.length }]);
}
