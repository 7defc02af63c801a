import type { AdAvailability } from "@querent/contract";

/** One observed answer, in the members from which figures are made. */
export interface Answer {
  readonly observationId: string;
  readonly taskId: string | null;
  readonly runId: string | null;
  readonly observedAt: string;
  /** When it was searched for entities: when it was observed, or recounted. */
  readonly recordedAt: string;
  readonly promptId: string;
  /** SHA-256 of the question, in hex. Failed tasks have none. */
  readonly promptDigest?: string;
  readonly platformCode: string;
  /** Empty if the panel has none. */
  readonly locale: string;
  readonly persona: string;
  readonly repeat: number;
  /** With which probability its wave asked the cell. Default: 1. It counts by the reciprocal. */
  readonly probability?: number;
  readonly panelRevision: number;
  readonly instrument: Instrument;
  /** One for each entity, in the order in which the answer names them first. */
  readonly mentions: readonly EntityInAnswer[];
  /** The sites of its sources: of each canonical URL once. */
  readonly sources: readonly CitedSite[];
  readonly cards: number;
  /** The product cards in their order. Absent: whom they name, or where they lead, was not recorded. */
  readonly products?: readonly ProductInAnswer[];
  /** The advertisements beside it. Absent: whether there were any is not known. */
  readonly ads?: readonly AdInAnswer[];
  /** True: there are none because the platform shows none to such a visitor. */
  readonly adsExcluded?: true;
  /** UTF-16 code units. */
  readonly contentLength: number;
  /** The number of searches; null if the platform never reports them. */
  readonly searchCount: number | null;
  readonly durationMs: number | null;
  readonly chargedPoints: number;
  /** As in the public record: why something is missing. */
  readonly flags: readonly string[];
  /** Only of a task that failed, which takes the place of an answer where tasks are counted: the code of its failure. */
  readonly failure?: string;
}

/** What an answer was taken with. */
export interface Instrument {
  readonly kind: "api" | "web" | "sample" | "imported";
  readonly modelVersion: string | null;
  readonly recipe: string | null;
  readonly reader: number;
  readonly matcher: string | null;
  readonly sourceRules: string | null;
  /** Of a panel: the revision with which it began to ask what was asked. Null: answers from elsewhere. */
  readonly panelRevision?: number | null;
  /** Of a panel: the last change of its brands, or of their names, before the answer was searched. Null: it had no brands. */
  readonly brandsSince?: string | null;
}

export interface EntityInAnswer {
  readonly entityId: string;
  readonly count: number;
  /** 1: the answer names it before every other entity. */
  readonly rank: number;
  /** Its place in a list that the answer makes. Null: it stands in none, or that was not looked for. */
  readonly listPosition: number | null;
}

/** What figures use of a product card. */
export interface ProductInAnswer {
  /** The entities that its heading names, each once. */
  readonly entityIds: readonly string[];
  /** Where it leads; empty if that is hidden. */
  readonly domain: string;
}

/** What figures use of an advertisement. */
export interface AdInAnswer {
  readonly advertiser: string | null;
  /** Empty if neither the landing page nor the advertisement tells it. */
  readonly host: string;
  readonly domain: string;
}

/** What figures use of a source. */
export interface CitedSite {
  /** The host of the canonical URL, or of the site that a redirect leads to. Empty if it has none, or if that is hidden. */
  readonly host: string;
  /** Empty if it is hidden. */
  readonly domain: string;
  readonly type: string | null;
}

/** A source of the public record of an observation. */
export interface AnswerSource {
  readonly canonicalUrl: string;
  /** The host of the site, for a redirect that hides its page. Otherwise it is that of the canonical URL. */
  readonly host?: string;
  /** Empty if it is hidden. */
  readonly domain: string;
  readonly type: string | null;
}

/** The public record of an observation, in the members that are used. */
export interface AnswerRecord {
  readonly observationId: string;
  readonly taskId: string | null;
  readonly observedAt: string;
  readonly recordedAt: string;
  readonly cell: {
    readonly panelRevision: number | null;
    readonly runId: string | null;
    readonly promptId: string | null;
    readonly promptDigest?: string;
    readonly platformCode: string;
    readonly locale: string;
    readonly persona: string;
    readonly repeat: number | null;
    readonly probability?: number | null;
  };
  readonly instrument: Instrument;
  readonly contentLength: number;
  readonly searchCount: number | null;
  readonly durationMs: number | null;
  readonly chargedPoints: number;
  readonly flags: readonly string[];
  readonly sources: readonly AnswerSource[];
  readonly mentions: readonly ObservedMention[];
  readonly cards: readonly AnswerCard[];
  /** Absent in records of earlier versions. */
  readonly adAvailability?: AdAvailability | null;
  readonly ads?: readonly AdInAnswer[];
}

/** A card of the public record of an observation. */
export interface AnswerCard {
  readonly kind?: "product" | "video" | "media";
  readonly start?: number;
  readonly end?: number;
  readonly domain?: string;
}

interface ObservedMention {
  readonly entityId: string;
  readonly start?: number;
  readonly listPosition?: number | null;
}

/** The answer that a public record describes. */
export function answerOf(record: AnswerRecord): Answer {
  const { cell } = record;
  return {
    observationId: record.observationId,
    taskId: record.taskId,
    runId: cell.runId,
    observedAt: record.observedAt,
    recordedAt: record.recordedAt,
    promptId: cell.promptId ?? "",
    ...(cell.promptDigest === undefined ? {} : { promptDigest: cell.promptDigest }),
    platformCode: cell.platformCode,
    locale: cell.locale,
    persona: cell.persona,
    repeat: cell.repeat ?? 1,
    ...probabilityOf(cell.probability),
    panelRevision: cell.panelRevision ?? 0,
    instrument: record.instrument,
    mentions: entitiesIn(record.mentions),
    sources: sitesIn(record.sources),
    cards: record.cards.length,
    ...productsIn(record.cards, record.mentions),
    ...adsIn(record.adAvailability ?? null, record.ads ?? []),
    contentLength: record.contentLength,
    searchCount: record.searchCount,
    durationMs: record.durationMs,
    chargedPoints: record.chargedPoints,
    flags: record.flags,
  };
}

/** Left out if it is 1, as of all answers that no wave drew. */
export const probabilityOf = (probability: number | null | undefined): Pick<Answer, "probability"> =>
  probability === null || probability === undefined || probability === 1 ? {} : { probability };

/** The products of an answer; nothing if a card does not say where its heading stands. */
export function productsIn(
  cards: readonly AnswerCard[],
  mentions: readonly ObservedMention[],
): Pick<Answer, "products"> {
  const products: ProductInAnswer[] = [];
  for (const { kind, start, end, domain = "" } of cards) {
    if (kind !== "product") continue;
    if (start === undefined || end === undefined) return {};
    products.push({ entityIds: entitiesWithin({ start, end }, mentions), domain });
  }
  return { products };
}

/** The entities that a part of an answer names, such as the heading of a card, each once. */
export function entitiesWithin(
  { start, end }: { readonly start: number; readonly end: number },
  mentions: readonly ObservedMention[],
): string[] {
  const named = mentions.filter(
    (mention) => mention.start !== undefined && start <= mention.start && mention.start < end,
  );
  return [...new Set(named.map(({ entityId }) => entityId))];
}

/** What is known of an answer's advertisements. */
export function adsIn(
  availability: AdAvailability | null,
  ads: readonly AdInAnswer[],
): Pick<Answer, "ads" | "adsExcluded"> {
  switch (availability) {
    case "shown":
    case "none":
      return { ads: ads.map(({ advertiser, host, domain }) => ({ advertiser, host, domain })) };
    case "signed_in_state":
    case "country_without_ads":
      return { adsExcluded: true };
    case "not_exposed":
    case "not_requested":
    case "parse_failed":
    case null:
      return {};
  }
}

/** Mentions in the order of the text, as one for each entity. */
export function entitiesIn(mentions: readonly ObservedMention[]): EntityInAnswer[] {
  const found = new Map<string, { count: number; listPosition: number | null }>();
  for (const { entityId, listPosition = null } of mentions) {
    const before = found.get(entityId);
    if (before === undefined) {
      found.set(entityId, { count: 1, listPosition });
      continue;
    }
    before.count++;
    before.listPosition ??= listPosition;
  }
  return [...found].map(([entityId, { count, listPosition }], index) => ({
    entityId,
    count,
    rank: index + 1,
    listPosition,
  }));
}

/** The site of each canonical URL, each URL once. */
export function sitesIn(sources: readonly AnswerSource[]): CitedSite[] {
  const found = new Map<string, CitedSite>();
  for (const { canonicalUrl, host = hostOf(canonicalUrl), domain, type } of sources)
    if (!found.has(canonicalUrl)) found.set(canonicalUrl, { host, domain, type });
  return [...found.values()];
}

/** The host of a URL, in the form in which it stands there. */
const hostOf = (url: string): string => /^[a-z][a-z0-9+.-]*:\/\/([^/:?#]+)/u.exec(url)?.[1] ?? "";
