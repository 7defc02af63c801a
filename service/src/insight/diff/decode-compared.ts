import type { ObservationRecord } from "@querent/contract";
import type { ComparedAnswer } from "@querent/figures";
import { canonicalAddress } from "../../kernel/addresses/canonical-address.ts";
import { sharedTexts } from "../../kernel/shared-texts.ts";
import { sourceOf } from "../observations/observation-row.ts";

/** An answer to compare, without its text. */
export interface ReadAnswer extends ComparedAnswer {
  readonly taskId: string | null;
  readonly contentLength: number;
}

/** What `comparedPages` writes of an answer before its instrument and its lists. */
type Head = readonly [
  taskId: string | null,
  runId: string,
  promptId: string,
  promptDigest: string,
  platform: string,
  locale: string,
  persona: string,
  repeat: number,
  contentLength: number,
  flags: readonly string[],
];
type InstrumentMembers = readonly [
  kind: ObservationRecord["instrument"]["kind"],
  modelVersion: string | null,
  recipe: string | null,
  reader: number,
  matcher: string | null,
  sourceRules: string | null,
];
type Mention = Pick<ObservationRecord["mentions"][number], "entityId">;
type Source = ObservationRecord["sources"][number];

/**
 * Decodes the lines of `comparedPages`, and shares equal texts among them.
 *
 * @param labels gets the names of items: domains of sources, titles of cards
 */
export function comparedDecoder(labels: Map<string, string>): (line: string) => ReadAnswer {
  const share = sharedTexts();
  const labelled = (item: string, label: string): string => {
    const shared = share(item);
    if (!labels.has(shared)) labels.set(shared, share(label));
    return shared;
  };
  return (line) => {
    const [head = "", instrumentText = "", mentionsText = "[]", sourcesText = "[]", cardsText = "[]"] =
      line.split("\t");
    const [taskId, run, promptId, promptDigest, platform, locale, persona, repeat, contentLength, flags] = JSON.parse(
      head,
    ) as Head;
    const [kind, modelVersion, recipe, reader, matcher, sourceRules] = JSON.parse(instrumentText) as InstrumentMembers;
    const isUnknown = (field: string) =>
      flags.includes(`parse_failed:${field}`) || flags.includes(`not_exposed:${field}`);
    const mentions = matcher === null ? null : (JSON.parse(mentionsText) as Mention[]);
    const sources = isUnknown("sources") ? null : (JSON.parse(sourcesText) as Source[]);
    const cards = cardFields.some(isUnknown) ? null : (JSON.parse(cardsText) as ObservationRecord["cards"]);
    return {
      taskId,
      contentLength,
      // A prompt that was reworded is another question, whose answers are not compared with those of before.
      cell: share(JSON.stringify([promptId, platform, locale, persona, promptDigest])),
      run: share(run),
      repeat,
      instrument: share(JSON.stringify({ kind, modelVersion, recipe, reader, matcher, sourceRules })),
      text: null,
      brands: mentions === null ? null : [...new Set(mentions.map(({ entityId }) => share(entityId)))],
      sources:
        sources?.flatMap((source) => {
          const { canonicalUrl, domain, opaque } = sourceOf(source, sourceRules);
          if (opaque !== true) return [labelled(canonicalUrl, domain)];
          // The redirect to a page differs from answer to answer, but not its site.
          return domain === "" ? [] : [labelled(domain, domain)];
        }) ?? null,
      cards: cards?.map((card) => ({ key: labelled(cardKey(card), card.title), price: null })) ?? null,
    };
  };
}

const cardFields = ["products", "videos", "media"];

function cardKey({ kind, title, url }: { kind: string; title: string; url: string | null }): string {
  return `${kind} ${url === null ? title : (canonicalAddress(url)?.address ?? url)}`;
}

/** What `answerTexts` of `tasks` writes of an answer: its text, and the prices that it shows. */
type TextLine = readonly [
  taskId: string,
  text: string,
  prices: readonly (readonly [title: string, url: string | null, price: string, priceUnit: string])[],
];

/** The texts and prices in a page of `answerTexts`, by task. */
export function decodeTexts(page: string): Map<string, { text: string; prices: ReadonlyMap<string, string> }> {
  return new Map(
    page.split("\n").map((line) => {
      const [taskId, text, shown] = JSON.parse(line) as TextLine;
      const prices = new Map(
        shown.map(([title, url, price, unit]): [string, string] => [
          cardKey({ kind: "product", title, url }),
          `${price} ${unit}`.trim(),
        ]),
      );
      return [taskId, { text, prices }];
    }),
  );
}
