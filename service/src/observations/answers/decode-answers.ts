/** Answers from the text that PostgreSQL made of them. Without a database, for the thread that computes figures, too. */
import type { AdAvailability } from "@querent/contract";
import {
  adsIn,
  answerOf,
  entitiesIn,
  probabilityOf,
  productsIn,
  sitesIn,
  type AdInAnswer,
  type Answer,
  type AnswerCard,
  type Instrument,
  type AnswerRecord,
  type CitedSite,
  type AnswerSource,
} from "@querent/figures";
import { sharedTexts, type ShareText } from "../../kernel/shared-texts.ts";

/** What `answerPages` writes of an answer, in this order, before its instrument and its lists. */
type Head = readonly [
  id: string,
  observedAt: string,
  recordedAt: string,
  taskId: string | null,
  runId: string | null,
  promptId: string,
  promptDigest: string,
  platform: string,
  locale: string,
  persona: string,
  repeat: number | null,
  probability: number | null,
  panelRevision: number | null,
  contentLength: number,
  searchCount: number | null,
  durationMs: number | null,
  points: number,
  cards: number,
  flags: readonly string[],
];

interface Shared {
  readonly text: ShareText;
  readonly sources: DecodeSources;
  readonly instrument: (text: string) => Instrument;
}

/** Decodes page after page. Equal texts, sites and instruments are kept once. */
export function answerDecoder(): (page: string) => Answer[] {
  const shared: Shared = { text: sharedTexts(), sources: sourceDecoder(), instrument: instrumentDecoder() };
  return (page) => page.split("\n").map((line) => answerFrom(line, shared));
}

/** The same for lines of public records. */
export function recordDecoder(): (page: string) => Answer[] {
  const share = sharedSites();
  return (page) =>
    page
      .trimEnd()
      .split("\n")
      .map((line) => {
        const answer = answerOf(JSON.parse(line) as AnswerRecord);
        return { ...answer, sources: answer.sources.map(share) };
      });
}

function answerFrom(line: string, { text, sources, instrument }: Shared): Answer {
  const [
    head = "",
    instrumentText = "",
    mentions = "[]",
    sourcesText = "[]",
    cardsText = "[]",
    adAvailability,
    ads = "[]",
  ] = line.split("\t");
  const [id, observedAt, recordedAt, taskId, runId, promptId, promptDigest, platform, locale, persona, ...numbers] =
    JSON.parse(head) as Head;
  const [repeat, probability, panelRevision, contentLength, searchCount, durationMs, points, cards, flags] = numbers;
  const named = JSON.parse(mentions) as Parameters<typeof entitiesIn>[0];
  return {
    observationId: id,
    taskId,
    runId: runId === null ? null : text(runId),
    observedAt: new Date(observedAt).toISOString(),
    recordedAt: new Date(recordedAt).toISOString(),
    promptId: text(promptId),
    promptDigest: text(promptDigest),
    platformCode: text(platform),
    locale: text(locale),
    persona: text(persona),
    repeat: repeat ?? 1,
    ...probabilityOf(probability),
    panelRevision: panelRevision ?? 0,
    instrument: instrument(instrumentText),
    mentions: entitiesIn(named).map((one) => ({ ...one, entityId: text(one.entityId) })),
    sources: sources(sourcesText),
    cards,
    ...(cardsText === "[]" ? noProducts : productsIn(JSON.parse(cardsText) as AnswerCard[], named)),
    // An earlier version writes none of both.
    ...adsFrom(adAvailability, ads, text),
    contentLength,
    searchCount,
    durationMs,
    chargedPoints: points,
    flags: flags.length === 0 ? noFlags : flags.map(text),
  };
}

const noFlags: readonly string[] = [];
const noProducts: Pick<Answer, "products"> = { products: [] };

function adsFrom(availability: string | undefined, ads: string, text: ShareText): Pick<Answer, "ads" | "adsExcluded"> {
  if (availability === undefined) return {};
  const shown = (JSON.parse(ads) as AdInAnswer[]).map(({ advertiser, host, domain }) => ({
    advertiser: advertiser === null ? null : text(advertiser),
    host: text(host),
    domain: text(domain),
  }));
  // As it was stored: one of these values.
  return adsIn(availability as AdAvailability, shown);
}

function instrumentDecoder(): (text: string) => Instrument {
  const known = new Map<string, Instrument>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const [kind, modelVersion, recipe, reader, matcher, sourceRules] = JSON.parse(text) as [
      Instrument["kind"],
      string | null,
      string | null,
      number,
      string | null,
      string | null,
    ];
    const instrument = { kind, modelVersion, recipe, reader, matcher, sourceRules };
    known.set(copyOf(text), instrument);
    return instrument;
  };
}

/** The first of equal sites: most are cited by many answers. */
function sharedSites(): (site: CitedSite) => CitedSite {
  /** By host. It has had another domain or type at most a few times, as the rules changed. */
  const known = new Map<string, CitedSite[]>();
  return (site) => {
    const { host, domain, type } = site;
    const same = known.get(host);
    if (same === undefined) {
      known.set(host, [site]);
      return site;
    }
    const before = same.find((one) => one.domain === domain && one.type === type);
    if (before !== undefined) return before;
    same.push(site);
    return site;
  };
}

/** A copy of the text, because a substring keeps the whole string in memory. */
const copyOf = (text: string): string => Buffer.from(text).toString();

type DecodeSources = (text: string) => readonly CitedSite[];

const first = '[["';
const next = '],["';
const end = "]]";

/**
 * The sites of the sources of an answer, from the text of `observations.cited_sites`. Most are cited by many answers, so each is parsed once,
 * and found by its text: a quotation mark inside a string has a backslash before it, so `next` is never a part of a string. An answer
 * that an earlier version wrote has the text of `observations.sources` instead, a list of objects.
 */
export function sourceDecoder(): DecodeSources {
  const share = sharedSites();
  const known = new Map<string, readonly CitedSite[]>();
  const sitesOf = (piece: string): readonly CitedSite[] => {
    const before = known.get(piece);
    if (before !== undefined) return before;
    const [host, domain, type, count] = JSON.parse(`["${piece}]`) as [string, string, string | null, number];
    const sites = Array<CitedSite>(count).fill(share({ host, domain, type }));
    known.set(copyOf(piece), sites);
    return sites;
  };
  return (text) => {
    if (text === "[]") return none;
    if (!text.startsWith(first)) return sitesIn(JSON.parse(text) as AnswerSource[]).map(share);
    const found: CitedSite[] = [];
    for (const piece of text.slice(first.length, -end.length).split(next)) found.push(...sitesOf(piece));
    return found;
  };
}

const none: readonly CitedSite[] = [];
