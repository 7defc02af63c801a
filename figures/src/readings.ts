/** What one answer says about a measure: a value, or why it is left out. */
import type { AdInAnswer, Answer, CitedSite, EntityInAnswer, ProductInAnswer } from "./answer.ts";
import type { PanelDefinition, PanelEntity } from "./panel-definition.ts";
import { spelled } from "./words.ts";

/** Why answers are left out of a figure. */
export type LeftOut =
  | "branded_prompt"
  | "unbranded_prompt"
  | "prompt_not_in_panel"
  | "no_text"
  | "not_searched"
  | "not_named"
  | "not_listed"
  | "not_shown"
  | "sources_not_known"
  | "source_hidden"
  | "ads_not_known"
  | "ads_excluded"
  | "advertiser_hidden"
  | "shop_hidden"
  | "too_few_runs"
  | "nothing_to_compare"
  | "not_reported"
  | "failures_not_recorded"
  | "failed"
  | "other_instrument";

export function countLeftOut(counts: Map<LeftOut, number>, code: LeftOut, count = 1): void {
  counts.set(code, (counts.get(code) ?? 0) + count);
}

/**
 * `of`: see `CellAnswer`. `missing`: the answer has nothing of what the value is a part of, and so no value; but its cell was asked
 * once more, which the interval takes into account.
 */
export type MeasureReading =
  | { readonly value: number; readonly of?: number }
  | { readonly missing: "not_named" | "not_listed" | "not_shown" }
  | LeftOut;

/** What a figure is about. */
export interface Subject {
  readonly entity: PanelEntity | null;
  readonly domain: string | null;
  readonly sourceType: string | null;
  /** The own entities and competitors: those among which shares and places are counted. */
  readonly compared: ReadonlySet<string>;
  /**
   * Answers that were recorded before were not searched for what is counted. Of the others, a share is one of the brands that they
   * were searched for: what a brand that came later would have had is not known.
   */
  readonly searchedSince: string;
  /** From when on it is known which tasks failed; null: it is not. */
  readonly failuresSince: string | null;
  /** Whether a source is a site of the entity. */
  readonly isOwnSite: (source: CitedSite) => boolean;
  /** Whether the entity advertises. */
  readonly isOwnAd: (ad: AdInAnswer) => boolean;
  /** Whether a rival of it does: of an own entity, a competitor; of a competitor, any other own entity or competitor. */
  readonly isRivalAd: (ad: AdInAnswer) => boolean;
}

export interface SubjectRequest {
  readonly entityId?: string;
  readonly domain?: string;
  readonly sourceType?: string;
}

export function subjectOf(panel: PanelDefinition, { entityId, domain, sourceType }: SubjectRequest): Subject {
  const entity = panel.entities.find((one) => one.entityId === entityId) ?? null;
  const compared = panel.entities.filter((one) => one.relation !== "other" || one === entity);
  return {
    entity,
    domain: domain ?? null,
    sourceType: sourceType ?? null,
    compared: new Set(compared.map((one) => one.entityId)),
    searchedSince: searchedSinceOf(panel, compared, entity),
    failuresSince: panel.failuresSince ?? null,
    isOwnSite: siteOf(entity),
    isOwnAd: advertisers(entity === null ? [] : [entity]),
    isRivalAd: advertisers(compared.filter((one) => one !== entity && isRival(one, entity))),
  };
}

const isRival = (one: PanelEntity, of: PanelEntity | null) =>
  one.relation === "competitor" || (one.relation === "own" && of?.relation !== "own");

function searchedSinceOf(
  { asked }: PanelDefinition,
  compared: readonly PanelEntity[],
  entity: PanelEntity | null,
): string {
  const created = compared.map(({ createdAt }) => createdAt).toSorted();
  // An earlier version has no instruments that tell which brands answers were searched for.
  if (asked === undefined) return created.at(-1) ?? "";
  return entity?.createdAt ?? created[0] ?? "";
}

export type AnswerRead = (answer: Answer, subject: Subject) => MeasureReading;

/** Which sources a measure counts; and whether the answers that cite one are its part, or the citations. */
interface CitationMeasure {
  readonly isOf: "answers" | "citations";
  readonly isCounted: (subject: Subject) => (source: CitedSite) => boolean;
}

const ownSites = ({ isOwnSite }: Subject) => isOwnSite;
const ofDomain =
  ({ domain }: Subject) =>
  (source: CitedSite) =>
    source.domain === domain;
const ofType =
  ({ sourceType }: Subject) =>
  (source: CitedSite) =>
    source.type === sourceType;

export const citationMeasures = {
  own_citation_rate: { isOf: "answers", isCounted: ownSites },
  own_citation_share: { isOf: "citations", isCounted: ownSites },
  citation_rate: { isOf: "answers", isCounted: ofDomain },
  citation_share: { isOf: "citations", isCounted: ofDomain },
  type_citation_rate: { isOf: "answers", isCounted: ofType },
  type_citation_share: { isOf: "citations", isCounted: ofType },
} as const satisfies Readonly<Record<string, CitationMeasure>>;

export const citationReading = (isOf: CitationMeasure["isOf"], counted: number, all: number): MeasureReading =>
  isOf === "citations" ? { value: counted, of: all } : { value: Number(counted > 0) };

export const readings = {
  presence: ofEntity((answer, { entityId }) => ({ value: Number(isNamed(answer, entityId)) })),
  mention_share: (answer, { entity, compared, searchedSince }) => {
    const missing = whyNotSearched(answer, searchedSince);
    if (missing !== null) return missing;
    let value = 0;
    let of = 0;
    for (const { entityId, count } of answer.mentions) {
      if (compared.has(entityId)) of += count;
      if (entityId === entity?.entityId) value += count;
    }
    return { value, of };
  },
  first_place: ofEntity((answer, { entityId }, { compared }) => {
    if (!isNamed(answer, entityId)) return { missing: "not_named" };
    return { value: Number(isNamedFirst(answer, entityId, compared)) };
  }),
  first_place_of_all: ofEntity((answer, { entityId }, { compared }) => ({
    value: Number(isNamedFirst(answer, entityId, compared)),
  })),
  position: ofEntity((answer, { entityId }) => {
    const position = mentionOf(answer, entityId)?.listPosition ?? null;
    return position === null ? { missing: "not_listed" } : { value: position };
  }),
  listed: ofEntity((answer, { entityId }) => {
    if (!knowsLists(answer)) return "not_searched";
    return { value: Number((mentionOf(answer, entityId)?.listPosition ?? null) !== null) };
  }),
  own_citation_rate: ofCitations("own_citation_rate"),
  own_citation_share: ofCitations("own_citation_share"),
  citation_rate: ofCitations("citation_rate"),
  citation_share: ofCitations("citation_share"),
  type_citation_rate: ofCitations("type_citation_rate"),
  type_citation_share: ofCitations("type_citation_share"),
  product_rate: ofProducts((products, id) => ({ value: Number(products.some(isOf(id))) })),
  product_position: ofProducts((products, id) => {
    const at = products.findIndex(isOf(id));
    return at < 0 ? { missing: "not_shown" } : { value: at + 1 };
  }),
  product_share: ofProducts((products, id) => ({ value: products.filter(isOf(id)).length, of: products.length })),
  shop_share: (answer, { domain }) => {
    const missing = whyCardsAreMissing(answer);
    if (missing !== null) return missing;
    const { products } = answer;
    if (products === undefined) return "not_reported";
    if (products.some((product) => product.domain === "")) return "shop_hidden";
    return { value: products.filter((product) => product.domain === domain).length, of: products.length };
  },
  ad_rate: ofAds(({ length }) => ({ value: Number(length > 0) })),
  ad_share: ofAdvertisers((ads, { domain }) => ({
    value: ads.filter((ad) => ad.domain === domain).length,
    of: ads.length,
  })),
  own_ad_rate: ofAds((ads, { isOwnAd }) => ({ value: Number(ads.some(isOwnAd)) })),
  own_ad_share: ofAds((ads, { isOwnAd }) => ({ value: ads.filter(isOwnAd).length, of: ads.length })),
  rival_ad_rate: ofAds((ads, { isRivalAd }) => ({ value: Number(ads.some(isRivalAd)) })),
  cited_answers: (answer) => whySourcesAreMissing(answer) ?? { value: Number(answer.sources.length > 0) },
  carded_answers: (answer) => whyCardsAreMissing(answer) ?? { value: Number(answer.cards > 0) },
  search_count: ({ searchCount }) => (searchCount === null ? "not_reported" : { value: searchCount }),
  answer_length: (answer) => (hasNoText(answer) ? "no_text" : { value: answer.contentLength }),
  empty_rate: (answer) => ({ value: Number(isEmpty(answer)) }),
  time_to_answer: ({ durationMs }) => (durationMs === null ? "not_reported" : { value: durationMs }),
  price_per_answer: (answer) =>
    answer.instrument.kind === "imported"
      ? "not_reported"
      : { value: answer.chargedPoints, of: Number(!isEmpty(answer)) },
  failure_rate: ofTasks((failure) => failure !== undefined),
  refusal_rate: ofTasks((failure) => failure === "platform_refused"),
} as const satisfies Readonly<Record<string, AnswerRead>>;

/** A reading of answers that were searched for the entity. */
function ofEntity(read: (answer: Answer, entity: PanelEntity, subject: Subject) => MeasureReading): AnswerRead {
  return (answer, subject) => {
    const { entity } = subject;
    if (entity === null) return "not_searched";
    return whyNotSearched(answer, entity.createdAt) ?? read(answer, entity, subject);
  };
}

function ofCitations(id: keyof typeof citationMeasures): AnswerRead {
  const { isOf, isCounted } = citationMeasures[id];
  return (answer, subject) => {
    const missing = whyDomainsAreMissing(answer);
    if (missing !== null) return missing;
    const isIt = isCounted(subject);
    let counted = 0;
    for (const source of answer.sources) if (isIt(source)) counted++;
    return citationReading(isOf, counted, answer.sources.length);
  };
}

/** A reading of answers whose products were searched for the entity. */
function ofProducts(read: (products: readonly ProductInAnswer[], entityId: string) => MeasureReading): AnswerRead {
  const readSearched = ofEntity((answer, { entityId }) =>
    answer.products === undefined ? "not_searched" : read(answer.products, entityId),
  );
  return (answer, subject) => whyCardsAreMissing(answer) ?? readSearched(answer, subject);
}

const isOf =
  (entityId: string) =>
  ({ entityIds }: ProductInAnswer) =>
    entityIds.includes(entityId);

/** A reading of answers of which it is known which advertisements stood beside them. */
function ofAds(read: (ads: readonly AdInAnswer[], subject: Subject) => MeasureReading): AnswerRead {
  return (answer, subject) => {
    const { ads, adsExcluded } = answer;
    if (adsExcluded === true) return "ads_excluded";
    return ads === undefined ? "ads_not_known" : read(ads, subject);
  };
}

/** The same, if each tells who advertises: of an answer with one that does not, no share is known. */
function ofAdvertisers(read: (ads: readonly AdInAnswer[], subject: Subject) => MeasureReading): AnswerRead {
  return ofAds((ads, subject) => (ads.some(({ domain }) => domain === "") ? "advertiser_hidden" : read(ads, subject)));
}

/** A reading of tasks, whether they were answered or failed. */
function ofTasks(isCounted: (failure: string | undefined) => boolean): AnswerRead {
  return ({ failure, observedAt, instrument: { kind } }, { failuresSince }) => {
    if (kind === "imported") return "not_reported";
    if (failuresSince === null || observedAt < failuresSince) return "failures_not_recorded";
    return { value: Number(isCounted(failure)) };
  };
}

/** Why the answer was not searched; null if it was, for everything that existed at a time. */
export function whyNotSearched(answer: Answer, since: string): LeftOut | null {
  if (hasNoText(answer)) return "no_text";
  return answer.instrument.matcher === null || answer.recordedAt < since ? "not_searched" : null;
}

/** Why domains are missing; null if every source of the answer has a domain that is known. */
export function whyDomainsAreMissing(answer: Answer): LeftOut | null {
  return whySourcesAreMissing(answer) ?? (answer.flags.includes("opaque_sources") ? "source_hidden" : null);
}

function whySourcesAreMissing(answer: Answer): LeftOut | null {
  const { flags } = answer;
  if (flags.length === 0) return null;
  if (hasNoText(answer)) return "no_text";
  return flags.includes("not_exposed:sources") || flags.includes("parse_failed:sources") ? "sources_not_known" : null;
}

/** Products are the cards that a platform shows, or does not: with one that never shows any, nothing is known. */
function whyCardsAreMissing(answer: Answer): LeftOut | null {
  if (hasNoText(answer)) return "no_text";
  const { flags } = answer;
  return flags.includes("not_exposed:products") || flags.includes("parse_failed:products") ? "not_reported" : null;
}

/** The first version of the matcher that reads every form of list, and leaves out those that warn. */
const listMatcher = 3;
const knowsLists = ({ instrument: { matcher } }: Answer) => Number.parseInt(matcher ?? "", 10) >= listMatcher;

const isEmpty = ({ flags }: Answer) => flags.length > 0 && flags.includes("empty");
const isNamedFirst = ({ mentions }: Answer, entityId: string, compared: ReadonlySet<string>) =>
  mentions.find((one) => compared.has(one.entityId))?.entityId === entityId;
/** Also of an answer that was there, but that nobody read. */
const hasNoText = (answer: Answer) => isEmpty(answer) || (answer.flags.length > 0 && answer.flags.includes("unread"));
const isNamed = (answer: Answer, entityId: string) => mentionOf(answer, entityId) !== undefined;

/** An answer names few entities. */
function mentionOf({ mentions }: Answer, entityId: string): EntityInAnswer | undefined {
  for (const mention of mentions) if (mention.entityId === entityId) return mention;
  return undefined;
}

/** Remembers the hosts: most are cited by many answers. */
function siteOf(entity: PanelEntity | null): (source: CitedSite) => boolean {
  const domains = entity?.domains ?? [];
  if (domains.length === 0) return () => false;
  const known = new Map<string, boolean>();
  return ({ host }) => {
    const before = known.get(host);
    if (before !== undefined) return before;
    const isOwn = isAtOneOf(domains, host);
    known.set(host, isOwn);
    return isOwn;
  };
}

/** Whether an advertisement is one of these entities: by the site that it leads to, or by the name that it states. */
function advertisers(entities: readonly PanelEntity[]): (ad: AdInAnswer) => boolean {
  const domains = entities.flatMap((entity) => entity.domains);
  const names = new Set(entities.flatMap(({ name, aliases = [] }) => [name, ...aliases].map(spelled)));
  return ({ host, advertiser }) => isAtOneOf(domains, host) || (advertiser !== null && names.has(spelled(advertiser)));
}

/** Whether a host is one of these domains, or below one. */
export const isAtOneOf = (domains: readonly string[], host: string): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
