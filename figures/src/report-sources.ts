import type { Answer, CitedSite } from "./answer.ts";
import { bySurface, domainsAt, type AnswerIndex } from "./answer-index.ts";
import { coreOf } from "./core-sources.ts";
import { ofHeadline } from "./headline.ts";
import type { PanelDefinition, PanelEntity } from "./panel-definition.ts";
import { wordingsOf } from "./panel-history.ts";
import { isAtOneOf } from "./readings.ts";
import type { Surface } from "./state-figures.ts";

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
  /** Domains that at least 80 % of the runs cite; how many others there are. Null for fewer than five runs. */
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
  /** The share of the citations of the surface. */
  readonly share: number;
}

/** The domains or types of sites that most answers cite, by their number, then by name. */
export function mostCited(index: AnswerIndex, member: "domain" | "type"): string[] {
  const { sources, answers } = index;
  const types = [...new Set(sources.map(({ type }) => type ?? ""))];
  const [names, numbers] =
    member === "domain"
      ? [index.domains, index.domainOf]
      : [types, Int32Array.from(sources, ({ type }) => types.indexOf(type ?? ""))];
  const counts = new Int32Array(names.length);
  const lastIn = new Int32Array(names.length).fill(-1);
  for (let place = 0; place < answers.length; place++)
    for (const source of citedAt(index, place)) {
      const number = numbers[source] ?? 0;
      if (lastIn[number] === place) continue;
      lastIn[number] = place;
      counts[number] = (counts[number] ?? 0) + 1;
    }
  const byCount = names
    .map((name, number) => ({ name, count: counts[number] ?? 0 }))
    .filter(({ name, count }) => name !== "" && count > 0)
    .toSorted((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
  return byCount.slice(0, mostCitedMax).map(({ name }) => name);
}

/** The numbers of the sources of an answer. */
const citedAt = ({ cited, citedFrom }: AnswerIndex, place: number) =>
  cited.subarray(citedFrom[place], citedFrom[place + 1]);

/** The sources that the answers of each surface's headline cite, each canonical URL once for each answer; pauses after each surface. */
export function* countSources(panel: PanelDefinition, index: AnswerIndex): Generator<void, SurfaceSources[], void> {
  const prompts = wordingsOf(panel);
  const isAsked = index.prompts.values.map((key) => prompts.get(key) !== undefined);
  const relationOf = relationsOf(panel);
  const relations = index.sources.map(relationOf);
  const counted: SurfaceSources[] = [];
  for (const { surface, places } of bySurface(index)) {
    yield;
    const ofPanel = ofHeadline(index, places).filter((place) => isAsked[index.prompts.of[place] ?? 0] === true);
    if (ofPanel.length > 0) counted.push({ ...surface, ...sourcesOf(index, ofPanel, relations) });
  }
  return counted;
}

type Relation = PanelEntity["relation"];

function sourcesOf(index: AnswerIndex, all: readonly number[], relations: readonly Relation[]) {
  const known = all.filter((place) => hasKnownSources(index.answers[place]));
  const citations = new Map<number, number>();
  let total = 0;
  for (const place of known)
    for (const source of citedAt(index, place)) {
      citations.set(source, (citations.get(source) ?? 0) + 1);
      total++;
    }
  const domains = countDomains(index, known, { citations, relations, total });
  const core = coreOf(index, known);
  return {
    answers: known.length,
    leftOut: all.length - known.length,
    citations: total,
    domains: domains.slice(0, domainsMax),
    domainsNotListed: Math.max(0, domains.length - domainsMax),
    types: shares(citations, (source) => index.sources[source]?.type ?? "hidden").map(([type, rest]) => ({
      type,
      ...rest,
    })),
    relations: shares(citations, (source) => relations[source] ?? "other").map(([relation, rest]) => ({
      relation,
      ...rest,
    })),
    core: core === null ? null : index.domains.filter((_domain, number) => core.isCore[number] === 1).toSorted(),
    tail: core?.tail ?? null,
  };
}

const unknownSources = ["empty", "unread", "not_exposed:sources", "parse_failed:sources", "opaque_sources"];
const hasKnownSources = (answer: Answer | undefined): boolean =>
  answer !== undefined && !answer.flags.some((flag) => unknownSources.includes(flag));

interface Citations {
  /** How often each source is cited, in the order of the first citations. */
  readonly citations: ReadonlyMap<number, number>;
  readonly relations: readonly Relation[];
  readonly total: number;
}

function countDomains(
  index: AnswerIndex,
  known: readonly number[],
  { citations, relations, total }: Citations,
): CitedDomain[] {
  const { sources, domainOf } = index;
  const found = new Map<
    number,
    Omit<CitedDomain, "share" | "answers" | "citations"> & Record<"answers" | "citations", number>
  >();
  for (const [source, count] of citations) {
    const number = domainOf[source] ?? 0;
    const before = found.get(number);
    if (before !== undefined) {
      before.citations += count;
      continue;
    }
    const { domain = "", type = null } = sources[source] ?? {};
    found.set(number, { domain, type, relation: relations[source] ?? "other", answers: 0, citations: count });
  }
  for (const place of known)
    for (const domain of domainsAt(index, place)) {
      const one = found.get(domain);
      if (one !== undefined) one.answers++;
    }
  return [...found.values()]
    .toSorted((a, b) => b.answers - a.answers || (a.domain < b.domain ? -1 : 1))
    .map((one) => ({ ...one, share: one.citations / total }));
}

/** Whose site it is. Without a host, its domain decides. */
function relationsOf({ entities }: PanelDefinition): (site: CitedSite) => Relation {
  return ({ host, domain }) => {
    const whose = entities.filter(({ domains }) => isAtOneOf(domains, host === "" ? domain : host));
    const relations = ["own", "competitor"] as const;
    return relations.find((relation) => whose.some((one) => one.relation === relation)) ?? "other";
  };
}

/** How often what each source is of is cited; most first, then by name. */
function shares<Item extends string>(
  citations: ReadonlyMap<number, number>,
  itemOf: (source: number) => Item,
): [Item, { citations: number; share: number }][] {
  const counts = new Map<Item, number>();
  let total = 0;
  for (const [source, count] of citations) {
    const item = itemOf(source);
    counts.set(item, (counts.get(item) ?? 0) + count);
    total += count;
  }
  return [...counts]
    .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([item, count]) => [item, { citations: count, share: count / total }]);
}
