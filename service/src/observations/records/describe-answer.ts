import { LRUCache } from "lru-cache";
import type { Ad, ObservedAd, ObservedCard, ObservedSearch, ObservedSource, StoredResult } from "@querent/contract";
import {
  canonicalAddress,
  canonicalAddressVersion,
  namedSite,
  siteNamed,
  type NamedSource,
} from "../../kernel/addresses/canonical-address.ts";
import type { DescribedAnswer } from "../../tasks/index.ts";
import type { Searched, NotSearched } from "../entities/entity-search.ts";
import { matcherVersion } from "../entities/find-mentions.ts";
import { sitesIn, type CitedSite, type AnswerSource } from "@querent/figures";
import list from "./domain-types.json" with { type: "json" };

/** Belongs to every count of domain types. */
const domainTypesVersion = list.version;

const types = new Map(Object.entries(list.types).flatMap(([type, hosts]) => hosts.map((host) => [host, type])));
const suffixes = new Map(
  Object.entries(list.suffixes).flatMap(([type, found]) => found.map((suffix) => [suffix, type])),
);

/** What kind of site a host is, such as `news` or `forum`: the most specific entry of the list; `other` for all others. */
export function domainType(host: string): string {
  for (const name of upward(host)) {
    const type = types.get(name);
    if (type !== undefined) return type;
  }
  for (const name of upward(host)) {
    const type = suffixes.get(name);
    if (type !== undefined && name !== host) return type;
  }
  return "other";
}

/** `a.b.c`, `b.c`, `c`. */
export function upward(host: string): string[] {
  const labels = host.split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
}

/** Belongs to every observation: a source may be counted differently by another version. */
export const sourceRulesVersion = `${canonicalAddressVersion}/${domainTypesVersion}`;

/** The parts of a result, or of an imported answer, that are described. */
export interface Describable {
  readonly content: string | null;
  readonly sources: readonly NamedSource[];
  readonly products: readonly Shown[];
  readonly videos: readonly Shown[];
  readonly media: readonly Shown[];
  /** The searches; null if none is known. */
  readonly searchProcess: readonly { readonly query: string }[] | null;
  /** Why fields are empty; null if that is not known. */
  readonly availability: StoredResult["availability"] | null;
  /** The answer was there, and nobody read it. */
  readonly isUnread?: boolean;
  readonly ads?: readonly Ad[];
  readonly relatedQuestions?: readonly string[];
  readonly relatedSearches?: readonly string[];
}

interface Shown {
  readonly position: number;
  readonly title: string | null;
  readonly url: string | null;
  readonly fallbackUrl?: string | null;
  readonly price?: string;
  readonly priceUnit?: string;
  readonly mall?: string;
}

/** Bounds of what is kept of one answer: the row stays small. */
const sourcesMax = 200;
const cardsMax = 200;
const urlCharsMax = 2048;
const titleCharsMax = 500;
/** Of each kind. */
const searchesMax = 50;
const queryCharsMax = 300;

export function describeAnswer(result: Describable, searched: Searched): DescribedAnswer {
  const cited = result.sources.slice(0, sourcesMax).map((source) => describeSource(source.url, namedSite(source)));
  const cards = cardsOf(result);
  const reportsSearches = !["not_exposed", "not_requested"].includes(result.availability?.searchProcess ?? "");
  return {
    contentLength: result.content?.length ?? 0,
    searchCount: reportsSearches ? searchCountOf(result) : null,
    flags: [
      ...flagsOf(result),
      ...(cited.some(isHidden) ? ["opaque_sources"] : []),
      // What is counted of such an answer is too low.
      ...(result.sources.length > sourcesMax ? ["truncated:sources"] : []),
      ...(cards.length > cardsMax ? ["truncated:cards"] : []),
      ...("found" in searched ? [] : [notSearchedFlag(searched.notSearched)]),
    ],
    sources: cited,
    cards: cards.slice(0, cardsMax),
    adAvailability: result.availability?.ads ?? null,
    ads: (result.ads ?? []).map(describeAd),
    searches: searchesOf(result),
    mentions: "found" in searched ? searched.found.observed : [],
    entities: searched.entities,
    matcher: matcherOf(searched),
  };
}

/** The version of the code that looked for entities; null if none did. */
export const matcherOf = (searched: Searched): string | null =>
  searched.entities === null || !("found" in searched) ? null : matcherVersion;

/** The flag of an observation whose answer was not searched although there are entities. `changed`: they changed while it ended. */
export const notSearchedFlag = (why: NotSearched | "changed"): string => `${notSearchedPrefix}${why}`;
export const notSearchedPrefix = "not_searched:";

/** Without availability, null means that it is not known. */
function searchCountOf({ searchProcess, availability }: Describable): number | null {
  if (searchProcess === null) return availability === null ? null : 0;
  return searchProcess.filter(({ query }) => query !== "").length;
}

function searchesOf({ searchProcess, relatedQuestions = [], relatedSearches = [] }: Describable): ObservedSearch[] {
  const listed = (kind: ObservedSearch["kind"], queries: readonly string[]): ObservedSearch[] =>
    queries
      .map((query) => query.replaceAll(/\s+/gu, " ").trim())
      .filter((query) => query !== "")
      .slice(0, searchesMax)
      .map((query) => ({ kind, query: cut(query, queryCharsMax) }));
  return [
    ...listed(
      "search",
      (searchProcess ?? []).map(({ query }) => query),
    ),
    ...listed("related_question", relatedQuestions),
    ...listed("related_search", relatedSearches),
  ];
}

/** Neither the page nor its site is known. */
const isHidden = ({ opaque, domain }: ObservedSource) => opaque === true && domain === "";

/** Many answers cite the same addresses, and parsing them takes most of the time of an observation. */
const described = new LRUCache<string, ObservedSource>({
  maxSize: 8_000_000,
  sizeCalculation: (_, { length }) => 3 * length + 200,
});

function describeSource(given: string, site: string): ObservedSource {
  const key = `${given}\n${site}`;
  const known = described.get(key);
  if (known !== undefined) return known;
  const found = describeAddress(given, site);
  described.set(key, found);
  return found;
}

function describeAddress(given: string, site: string): ObservedSource {
  const url = cut(given, urlCharsMax);
  const canonical = canonicalAddress(given, site);
  if (canonical === null) return { url, canonicalUrl: url, domain: "", type: null };
  const { address, host, domain, isOpaque } = canonical;
  const type = host === "" ? null : domainType(host);
  const source = { url, canonicalUrl: cut(address, urlCharsMax), domain, type };
  return isOpaque ? { ...source, opaque: true, host } : source;
}

/** A landing page that a redirect hides is not known; the address that the advertisement shows tells its site. */
function describeAd({ position, advertiser, title, url, displayUrl, placement }: Ad): ObservedAd {
  const landing = url === null ? null : canonicalAddress(url);
  const shown = landing === null || landing.isOpaque ? siteNamed(hostIn(displayUrl ?? "")) : null;
  const { host, domain } = shown ?? landing ?? { host: "", domain: "" };
  return {
    position,
    advertiser: advertiser === null ? null : cut(advertiser, titleCharsMax),
    title: title === null ? null : cut(title, titleCharsMax),
    url: url === null ? null : cut(url, urlCharsMax),
    host,
    domain,
    placement,
  };
}

/** The host of an address as people write it, such as `www.example.com › shop`. */
const hostIn = (address: string): string => /^\s*(?:https?:\/\/)?([^\s/:?#›]+)/iu.exec(address)?.[1] ?? "";

/** The domains that an answer cites, each once, sorted. */
export function domainsOf({ sources }: Pick<DescribedAnswer, "sources">): string[] {
  return [...new Set(sources.map(({ domain }) => domain))].filter((domain) => domain !== "").toSorted();
}

/** The type of the sites and the number of addresses of each domain, and last of the addresses without one. */
export function countDomains(described: Pick<DescribedAnswer, "sources">): {
  readonly types: (string | null)[];
  readonly citations: number[];
} {
  const { sources } = described;
  if (sources.length === 0) return { types: [], citations: [] };
  const ofDomain = Map.groupBy(sources, ({ domain }) => domain);
  const counted = [...domainsOf(described), ""].map((domain) => {
    const cited = ofDomain.get(domain) ?? [];
    const types = cited.flatMap(({ type }) => type ?? []).toSorted();
    return { type: types.at(-1) ?? null, citations: new Set(cited.map(({ canonicalUrl }) => canonicalUrl)).size };
  });
  return { types: counted.map(({ type }) => type), citations: counted.map(({ citations }) => citations) };
}

/** The entities that an answer mentions, each once, sorted. */
export function entitiesOf({ mentions }: Pick<DescribedAnswer, "mentions">): string[] {
  return [...new Set(mentions.map(({ entityId }) => entityId))].toSorted();
}

const flaggedFields = ["sources", "products", "videos", "media", "searchProcess"] as const;

function flagsOf({ content, availability, isUnread = false }: Describable): string[] {
  const flags = isUnread ? ["unread"] : content === null || content.trim() === "" ? ["empty"] : [];
  for (const field of flaggedFields) {
    const value = availability?.[field];
    if (value === "not_exposed" || value === "parse_failed") flags.push(`${value}:${field}`);
  }
  return flags;
}

function cardsOf({ content, products, videos, media }: Describable): ObservedCard[] {
  const headings = headingsIn(content ?? "", products.length + videos.length + media.length);
  const cards = (kind: ObservedCard["kind"], shown: readonly Shown[]): ObservedCard[] =>
    shown.map((card) => ({
      kind,
      position: card.position,
      title: cut(card.title ?? "", titleCharsMax),
      url: card.url === null ? null : cut(card.url, urlCharsMax),
      ...headings[card.position - 1],
      ...(kind === "product" ? describeOffer(card) : {}),
    }));
  return [...cards("product", products), ...cards("video", videos), ...cards("media", media)].toSorted(
    (one, other) => one.position - other.position,
  );
}

/** The headings of cards in the text, in the order of their positions; none if the text has not exactly these. */
function headingsIn(content: string, cards: number): { readonly start: number; readonly end: number }[] {
  if (cards === 0) return [];
  const found = content.matchAll(/(?<![^\n]\n)^> \*\*[a-z0-9_\\]{1,64}\*\*(?: · .*)?$/gmu);
  const headings = Array.from(found, ({ index, 0: line }) => ({ start: index, end: index + line.length }));
  return headings.length === cards ? headings : [];
}

function describeOffer({ url, fallbackUrl, price = "", priceUnit = "", mall = "" }: Shown) {
  const address = /^https?:/iu.test(url ?? "") ? url : fallbackUrl;
  const { domain = "", isOpaque = true } = canonicalAddress(address ?? "") ?? {};
  return {
    ...(price === "" ? {} : { price: cut(price, titleCharsMax) }),
    ...(priceUnit === "" ? {} : { priceUnit: cut(priceUnit, titleCharsMax) }),
    ...(mall === "" ? {} : { shop: cut(mall, titleCharsMax) }),
    ...(isOpaque || domain === "" ? {} : { domain }),
  };
}

/** Without half of a surrogate pair at its end, which PostgreSQL refuses. */
function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/u, "");
}

/**
 * The sites of the sources of an answer, as JSON: `[host, domain, type, how many in a row]` of each. Figures need no more of a source, and
 * addresses would be three quarters of the bytes that are read for a report.
 */
export function citedSitesText(sources: readonly AnswerSource[]): string {
  const inRows: [CitedSite["host"], CitedSite["domain"], CitedSite["type"], number][] = [];
  for (const { host, domain, type } of sitesIn(sources)) {
    const last = inRows.at(-1);
    if (last !== undefined && last[0] === host && last[1] === domain && last[2] === type) last[3]++;
    else inRows.push([host, domain, type, 1]);
  }
  return JSON.stringify(inRows);
}
