import {
  diffAnswersMax,
  diffResultsMax,
  type PanelRunDiff,
  type RunCellChange,
  type ObservationRecord,
} from "@querent/contract";
import { diffRuns, type CellDiff, type ItemChange, type RunDiff, type ComparedAnswer } from "@querent/figures";
import { encodeCursor } from "../../api/cursor.ts";
import { jsonPieces, NotComputable, type Job, type ReadInput } from "../../computing/job.ts";
import { canonicalAddress } from "../../kernel/addresses/canonical-address.ts";
import { sharedTexts } from "../../kernel/shared-texts.ts";
import { sourceOf } from "../../observations/records/observation-row.ts";
import { diffArrays } from "diff";

export interface DiffInput {
  readonly panelId: string;
  readonly before: PanelRunDiff["before"];
  readonly after: PanelRunDiff["after"];
  /** The other runs, nearest to the two first. */
  readonly others: readonly string[];
  /** Compares texts and prices, too. */
  readonly results: boolean;
  /** The changes from this one on are shown, at most so many. */
  readonly from: number;
  readonly limit: number;
  /** The names of the account's entities. */
  readonly names: ReadonlyMap<string, string>;
}

/** The most characters of the texts that one diff reads. */
const textCharsMax = 128 * 1024 * 1024;
/** A page of changes ends after so many characters of their texts. */
const shownCharsMax = 4 * 1024 * 1024;
/** Texts that are read at once, unless a single cell has more. */
const textsAtOnce = 100;
const textCharsAtOnce = 1024 * 1024;
/** A cell may have answers of few repeats, if the others failed. */
const repeatsMax = 100;

/** The diff of two runs of a panel, cell by cell. Texts are read as their cell comes, and then forgotten. */
export const job: Job<DiffInput> = {
  module: import.meta.url,
  async *run(input, read) {
    const { panelId, from, limit, names, results } = input;
    const [before, after] = [input.before.runId, input.after.runId];
    const labels = new Map(names);
    const answers: ReadAnswer[] = [];
    const decode = comparedDecoder(labels);
    const readRuns = async function* (runIds: readonly string[]): AsyncGenerator<undefined, void, void> {
      for await (const page of read("answers", runIds))
        for (const line of page.split("\n")) {
          answers.push(decode(line));
          yield;
        }
    };
    yield* readRuns(before === after ? [before] : [before, after]);
    const used = input.others.slice(0, roomForOthers(answers, results));
    yield* readRuns(used);
    for (const [item, label] of names) labels.set(item, label);
    const order = [before, after, ...used].toSorted((a, b) => (a < b ? -1 : 1));
    const runs = { before, after, order };
    const { changes: _, ...nothing } = diffRuns([], runs);
    let whole: Counts = nothing;
    const changes: RunCellChange[] = [];
    let count = 0;
    let shownChars = 0;
    for await (const cell of withTexts(read, cellsOf(answers), results)) {
      const { changes: ofCell, ...counts } = diffRuns(cell, runs);
      whole = added(whole, counts);
      for (const change of ofCell) {
        const isShown = count === from + changes.length && changes.length < limit && shownChars < shownCharsMax;
        count++;
        if (!isShown) continue;
        const words = change.text === null ? null : wordsOf(change, cell, runs);
        shownChars += words?.reduce((sum, { text }) => sum + text.length, 0) ?? 0;
        changes.push(cellChange(change, labels, words));
      }
      yield;
    }
    const to = from + changes.length;
    yield* jsonPieces({
      panelId,
      before: input.before,
      after: input.after,
      otherRuns: order.length - 2,
      cells: whole.cells,
      aspects: [...whole.aspects],
      changes,
      nextCursor: to < count ? encodeCursor(String(to)) : null,
    } satisfies PanelRunDiff);
  },
};

/** How many other runs may be read, besides the answers of the two. Throws if these are too many already. */
function roomForOthers(answers: readonly ReadAnswer[], results: boolean): number {
  const max = results ? diffResultsMax : diffAnswersMax;
  const detail = "Choose a `promptId` or a `platformCode`, too.";
  if (results && answers.length > max)
    throw new NotComputable(
      { pointer: "?results", code: "too_many", detail },
      `The two runs have ${answers.length.toLocaleString("en")} answers; with their results, at most ${max.toLocaleString("en")} are compared.`,
    );
  const chars = answers.reduce((sum, { contentLength }) => sum + contentLength, 0);
  if (results && chars > textCharsMax)
    throw new NotComputable(
      { pointer: "?results", code: "too_many", detail },
      `The answers of the two runs have ${chars.toLocaleString("en")} characters; at most ${textCharsMax.toLocaleString("en")} are compared.`,
    );
  const perRun = Math.max(1, Math.ceil(answers.length / 2));
  const room = Math.max(0, Math.floor((max - answers.length) / perRun));
  if (!results) return room;
  return Math.min(room, Math.floor((textCharsMax - chars) / Math.max(1, Math.ceil(chars / 2))));
}

/** The answers by cell, so that a page continues where the one before ended. */
function cellsOf(answers: readonly ReadAnswer[]): ReadAnswer[][] {
  const sorted = answers.toSorted((a, b) => (a.cell < b.cell ? -1 : a.cell > b.cell ? 1 : a.repeat - b.repeat));
  return [...Map.groupBy(sorted, ({ cell }) => cell).values()];
}

/** The same cells, with texts and prices if asked for and if their results have not expired. */
async function* withTexts(
  read: ReadInput,
  cells: readonly ReadAnswer[][],
  results: boolean,
): AsyncGenerator<readonly ReadAnswer[], void, void> {
  if (!results) return yield* cells;
  for (const group of groupsOf(cells)) {
    const texts = new Map<string, { text: string; prices: ReadonlyMap<string, string> }>();
    for (const taskIds of partsOf(group.flat()))
      for await (const page of read("texts", taskIds))
        for (const [taskId, text] of decodeTexts(page)) texts.set(taskId, text);
    for (const cell of group)
      yield cell.map((answer) => {
        const known = answer.taskId === null ? undefined : texts.get(answer.taskId);
        if (known === undefined) return answer;
        const cards = answer.cards?.map(({ key }) => ({ key, price: known.prices.get(key) ?? null })) ?? null;
        return { ...answer, text: known.text, cards };
      });
  }
}

/** Cells whose texts are read together. */
function* groupsOf(cells: readonly ReadAnswer[][]): Generator<ReadAnswer[][], void, void> {
  let group: ReadAnswer[][] = [];
  let [count, chars] = [0, 0];
  for (const cell of cells) {
    const length = cell.reduce((sum, { contentLength }) => sum + contentLength, 0);
    if (group.length > 0 && (count + cell.length > textsAtOnce || chars + length > textCharsAtOnce)) {
      yield group;
      group = [];
      [count, chars] = [0, 0];
    }
    group.push(cell);
    count += cell.length;
    chars += length;
  }
  if (group.length > 0) yield group;
}

/** The tasks of these answers, in parts whose texts are read in one statement. */
function* partsOf(answers: readonly ReadAnswer[]): Generator<string[], void, void> {
  let part: string[] = [];
  let chars = 0;
  for (const { taskId, contentLength } of answers) {
    if (taskId === null) continue;
    if (part.length > 0 && (part.length === textsAtOnce || chars + contentLength > textCharsAtOnce)) {
      yield part;
      part = [];
      chars = 0;
    }
    part.push(taskId);
    chars += contentLength;
  }
  if (part.length > 0) yield part;
}

type Words = NonNullable<RunCellChange["text"]>["words"];

/** The first texts of the cell that differ, word by word. */
function wordsOf(
  { answers: count }: CellDiff,
  cell: readonly ReadAnswer[],
  { before, after }: { before: string; after: string },
): Words {
  const textOf = (run: string, repeat: number) =>
    cell.find((answer) => answer.run === run && answer.repeat === repeat)?.text ?? undefined;
  for (let repeat = 1; repeat <= Math.max(repeatsMax, count.before, count.after); repeat++) {
    const [one, other] = [textOf(before, repeat), textOf(after, repeat)];
    if (one !== undefined && other !== undefined && one !== other) return diffWords(one, other);
  }
  return null;
}

type Counts = Omit<RunDiff, "changes">;

function added(whole: Counts, { cells, aspects }: Counts): Counts {
  return {
    cells: {
      both: whole.cells.both + cells.both,
      onlyBefore: whole.cells.onlyBefore + cells.onlyBefore,
      onlyAfter: whole.cells.onlyAfter + cells.onlyAfter,
    },
    aspects: whole.aspects.map((sum, index) => {
      const one = aspects[index];
      if (one === undefined) return sum;
      return {
        aspect: sum.aspect,
        changed: sum.changed + one.changed,
        cells: sum.cells + one.cells,
        reruns: { differ: sum.reruns.differ + one.reruns.differ, pairs: sum.reruns.pairs + one.reruns.pairs },
      };
    }),
  };
}

function cellChange(change: CellDiff, labels: ReadonlyMap<string, string>, words: Words): RunCellChange {
  const [promptId, platformCode, locale, persona] = JSON.parse(change.cell) as [string, string, string, string];
  const labelled = <Change extends Pick<ItemChange, "item">>(changes: readonly Change[]) =>
    changes.map((one) => ({ label: labels.get(one.item) ?? "", ...one }));
  const instruments = (keys: readonly string[]) =>
    keys.map((key) => JSON.parse(key) as RunCellChange["instruments"]["before"][number]);
  return {
    promptId,
    platformCode,
    locale,
    persona,
    answers: change.answers,
    instruments: { before: instruments(change.instruments.before), after: instruments(change.instruments.after) },
    text: change.text === null ? null : { ...change.text, words },
    brands: labelled(change.brands),
    first: labelled(change.first),
    sources: labelled(change.sources),
    cards: labelled(change.cards),
    prices: labelled(change.prices).map((price) => ({ ...price, before: [...price.before], after: [...price.after] })),
  };
}

/** An answer to compare, without its text. */
interface ReadAnswer extends ComparedAnswer {
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
function comparedDecoder(labels: Map<string, string>): (line: string) => ReadAnswer {
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
function decodeTexts(page: string): Map<string, { text: string; prices: ReadonlyMap<string, string> }> {
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

/** Both bound the time for texts that have little in common. */
const editsMax = 4_000;
const timeoutMs = 50;

/** Two texts, word by word. Null: too little in common. */
function diffWords(before: string, after: string): Words | null {
  const parts = diffArrays(tokensOf(before), tokensOf(after), { maxEditLength: editsMax, timeout: timeoutMs });
  return (
    parts?.map(({ value, added, removed }) => ({
      change: added ? "added" : removed ? "removed" : "same",
      text: value.join(""),
    })) ?? null
  );
}

/** Words, spaces and other characters. Scripts without spaces between words are taken character by character. */
const tokensOf = (text: string) => text.match(token) ?? [];
const token =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{M}\p{N}]+|\s+|[^]/gu;
