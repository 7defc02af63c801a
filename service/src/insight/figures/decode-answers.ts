/** Answers from the text that PostgreSQL made of them. Without a database, for the thread that computes figures, too. */
import { answerOf, entitiesIn, probabilityOf, type Answer, type Instrument, type AnswerRecord } from "@querent/figures";
import { sharedTexts, type ShareText } from "../../kernel/shared-texts.ts";
import { copyOf } from "./copy-of.ts";
import { sourceDecoder, type DecodeSources } from "./decode-sources.ts";
import { sharedSites } from "./shared-sites.ts";

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
  const [head = "", instrumentText = "", mentions = "[]", sourcesText = "[]"] = line.split("\t");
  const [id, observedAt, recordedAt, taskId, runId, promptId, promptDigest, platform, locale, persona, ...numbers] =
    JSON.parse(head) as Head;
  const [repeat, probability, panelRevision, contentLength, searchCount, durationMs, points, cards, flags] = numbers;
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
    mentions: entitiesIn(JSON.parse(mentions) as Parameters<typeof entitiesIn>[0]).map((one) => ({
      ...one,
      entityId: text(one.entityId),
    })),
    sources: sources(sourcesText),
    cards,
    contentLength,
    searchCount,
    durationMs,
    chargedPoints: points,
    flags: flags.length === 0 ? noFlags : flags.map(text),
  };
}

const noFlags: readonly string[] = [];

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
