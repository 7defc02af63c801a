import { proposalReasons, type NameProposal } from "@querent/contract";
import { compileEntities } from "./compile-entities.ts";
import { definitionOf, type EntityContent, type EntityNameChange } from "./entity-content.ts";
import { observedMax } from "./find-in-text.ts";
import { findMentions, type Mention } from "./find-mentions.ts";
import { foldWord } from "./fold-text.ts";
import { InflectedForms } from "./inflected-forms.ts";
import { keyOf, withChange } from "./change-entities.ts";
import { chineseAfter, katakanaNouns, koreanNouns } from "./word-boundaries.ts";
import hongKong from "opencc-js/dict/HKVariants";
import simplifiedToTraditional from "opencc-js/dict/STCharacters";
import traditionalToSimplified from "opencc-js/dict/TSCharacters";
import taiwan from "opencc-js/dict/TWVariants";

/** An answer in which proposals are looked for. */
export interface SearchedAnswer {
  readonly observationId: string;
  readonly text: string;
  /** The mentions of the account's other entities, by their order: a name within one of them is no mention, whatever is approved. */
  readonly others: readonly { readonly start: number; readonly end: number }[];
}

export interface FoundProposals {
  readonly proposals: readonly NameProposal[];
  /** The mentions of the entity as it is. */
  readonly mentions: number;
  /** Answers that take too much work, or that came when there were enough mentions. They are in no count. */
  readonly notSearched: number;
}

export interface ProposalOptions {
  /** What a person has declined, as `keyOf` has it. */
  readonly declined?: ReadonlySet<string>;
  /** With the words that stand mostly beside the name, for whatever reason. */
  readonly withNeighbours?: boolean;
}

interface Candidate extends EntityNameChange {
  readonly reason: NameProposal["reason"];
  /** How often it was seen, to choose among many. */
  readonly seen: number;
}

/** Candidates that are counted exactly, by their reason; the most frequent ones. */
const countedMax = { script: 32, inflected: 60, own_case: 10, sense: 40, quantity: 10, lower_case: 10, neighbour: 20 };
const shownMax = { script: 10, inflected: 40, own_case: 5, sense: 30, quantity: 10, lower_case: 10, neighbour: 10 };
const evidenceMax = 5;
/** Characters of an answer on each side of a mention. */
const snippetChars = 60;

/**
 * Aliases and negative contexts that the texts of answers suggest for an entity. They decide nothing: a person sees where each would
 * add or take mentions, and approves it or not. Each count is the difference between the matcher with and without the change.
 */
export function proposeNames(
  content: EntityContent,
  answers: readonly SearchedAnswer[],
  { declined = new Set(), withNeighbours = false }: ProposalOptions = {},
): FoundProposals {
  const current = compileEntities([definitionOf("", content)]);
  const searched: Searched[] = [];
  let total = 0;
  for (const answer of answers) {
    if (total >= mentionsMax) break;
    const { mentions, isComplete } = findMentions(answer.text, current);
    // An observation has no more either.
    if (!isComplete || mentions.length > observedMax) continue;
    searched.push({ answer, mentions: mentions.filter((each) => !isOthers(each, answer)) });
    total += mentions.length;
  }
  const known = new Set(
    [content.name, ...content.aliases.map(({ text }) => text)].map((text) => foldWord(text)).concat([""]),
  );
  const candidates = [
    ...scriptCandidates(content, known),
    ...inflectedCandidates(content, searched, known),
    ...contextCandidates(searched, { declined, withNeighbours }),
  ].filter((each) => !declined.has(keyOf(each)));
  const proposals = count(content, searched, mostSeen(candidates));
  return {
    proposals,
    mentions: searched.reduce((sum, { mentions }) => sum + mentions.length, 0),
    notSearched: answers.length - searched.length,
  };
}

interface Searched {
  readonly answer: SearchedAnswer;
  readonly mentions: readonly Mention[];
}

/** Of all answers: each is compared with each candidate, which takes some microseconds. */
const mentionsMax = 5_000;

/** True if a mention is a part of another entity's. */
function isOthers({ start, end }: Mention, { others }: SearchedAnswer): boolean {
  let [low, high] = [0, others.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((others[middle]?.start ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  const other = others[low - 1];
  return other !== undefined && other.end >= end && other.end - other.start > end - start;
}

const variantsOf = ({ name, caseSensitive, aliases }: EntityContent) => [{ text: name, caseSensitive }, ...aliases];

const alias = (text: string, caseSensitive: boolean): EntityNameChange => ({
  kind: "alias",
  text,
  caseSensitive,
  alsoAliases: [],
});
const context = (text: string): EntityNameChange => ({
  kind: "negative_context",
  text,
  caseSensitive: false,
  alsoAliases: [],
});

function scriptCandidates(content: EntityContent, known: ReadonlySet<string>): Candidate[] {
  return variantsOf(content)
    .flatMap(({ text }) => inOtherChineseScript(text))
    .filter((text) => !known.has(foldWord(text)))
    .map((text) => ({ ...alias(text, false), reason: "script", seen: 1 }));
}

function inflectedCandidates(
  content: EntityContent,
  searched: readonly Searched[],
  known: ReadonlySet<string>,
): Candidate[] {
  const forms = new InflectedForms(variantsOf(content).map(({ text }) => text));
  const seen = new Map<string, number>();
  for (const { answer } of searched)
    forms.find(answer.text, (written) => {
      if (!known.has(foldWord(written)) && seen.size < formsMax) seen.set(written, (seen.get(written) ?? 0) + 1);
    });
  // In capitals, a form says the same as in its usual case, which is found in any.
  return [...seen].map(([text, times]) => ({ ...alias(text, true), reason: "inflected", seen: times }));
}

const formsMax = 1_000;

function contextCandidates(
  searched: readonly Searched[],
  { declined, withNeighbours }: Required<ProposalOptions>,
): Candidate[] {
  const phrases = new Map<string, { beside: Beside; lower: number; seen: number }>();
  const cases = new Map<string, { lower: number; others: Set<string> }>();
  let total = 0;
  for (const { answer, mentions } of searched)
    for (const mention of mentions) {
      total++;
      const written = answer.text.slice(mention.start, mention.end);
      const isLower = isInLowerCase(written, mention.variant);
      if (isLower || written !== mention.variant) {
        const of = cases.get(mention.variant) ?? { lower: 0, others: new Set() };
        if (isLower) of.lower++;
        else if (/^[\p{L}\p{N}]+$/u.test(written) && of.others.size < othersMax) of.others.add(written);
        cases.set(mention.variant, of);
      }
      for (const beside of besideName(answer.text, mention)) {
        const key = foldWord(beside.phrase);
        const of = phrases.get(key) ?? { beside, lower: 0, seen: 0 };
        if (phrases.size >= phrasesMax && of.seen === 0) continue;
        phrases.set(key, { beside: of.beside, lower: of.lower + Number(isLower), seen: of.seen + 1 });
      }
    }
  const candidates: Candidate[] = [];
  const isOwnCaseDeclined = [...cases.keys()].some((text) => declined.has(keyOf({ kind: "own_case", text })));
  for (const [text, { lower, others }] of cases)
    if (lower > 0)
      candidates.push({
        ...{ kind: "own_case", text, caseSensitive: true, alsoAliases: [...others].toSorted() },
        ...{ reason: "own_case", seen: lower },
      });
  const unsure: { beside: Beside; seen: number }[] = [];
  for (const { beside, lower, seen } of phrases.values()) {
    const change = context(beside.phrase);
    if (beside.sense === "word") candidates.push({ ...change, reason: "sense", seen });
    else if (beside.sense === "quantity") candidates.push({ ...change, reason: "quantity", seen });
    // The name in lower case is a proposal of its own, which takes these with it.
    else if (lower === seen && lower > 1 && isOwnCaseDeclined)
      candidates.push({ ...change, reason: "lower_case", seen });
    else if (lower === 0 && beside.isPlain && (total < fewMentions || (seen > 1 && seen < total / 3)))
      unsure.push({ beside, seen });
  }
  return withNeighbours ? candidates.concat(mostlyBeside(unsure, searched)) : candidates;
}

const othersMax = 5;
const phrasesMax = 20_000;
/**
 * Of so few mentions, each neighbour may be worth a look. Of more, one that is there once says nothing, and one that is everywhere is no
 * exception.
 */
const fewMentions = 20;

const isInLowerCase = (written: string, variant: string): boolean =>
  /^[^\p{L}]*\p{Lu}/u.test(variant) && written.toLowerCase() === written && written.toUpperCase() !== written;

/** Words that stand beside the name at least in half of their places. */
function mostlyBeside(unsure: readonly { beside: Beside; seen: number }[], searched: readonly Searched[]): Candidate[] {
  const often = unsure.toSorted((one, other) => other.seen - one.seen).slice(0, wordsCounted);
  const candidates: Candidate[] = [];
  for (const { beside, seen } of often) {
    let occurrences = 0;
    for (const { answer } of searched) {
      if (occurrences > 2 * seen) break;
      occurrences += countOf(beside.word, answer.text);
    }
    if (occurrences <= 2 * seen) candidates.push({ ...context(beside.phrase), reason: "neighbour", seen });
  }
  return candidates;
}

function countOf(word: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) count++;
  return count;
}

const wordsCounted = 40;

function mostSeen(candidates: readonly Candidate[]): Candidate[] {
  const byReason = Map.groupBy(candidates, ({ reason }) => reason);
  return proposalReasons.flatMap((reason) =>
    (byReason.get(reason) ?? []).toSorted((one, other) => other.seen - one.seen).slice(0, countedMax[reason]),
  );
}

/** Searches the answers with each change by itself, and compares with the mentions without it. */
function count(
  content: EntityContent,
  searched: readonly Searched[],
  candidates: readonly Candidate[],
): NameProposal[] {
  const changed = candidates.map((candidate) => {
    const whole = withChange(content, candidate);
    return whole === "no_room" ? null : whole;
  });
  const compiled = compileEntities(
    changed.flatMap((each, index) => (each === null ? [] : [definitionOf(String(index), each)])),
  );
  const counts = candidates.map(() => ({ mentions: 0, answers: 0, evidence: [] as NameProposal["evidence"] }));
  for (const { answer, mentions } of searched) {
    const found = findMentions(answer.text, compiled, { isEachAlone: true });
    if (!found.isComplete) continue;
    const before = new Map(mentions.map((mention) => [spanOf(mention), mention]));
    const after = Map.groupBy(found.mentions, ({ entityId }) => entityId);
    for (const [index, candidate] of candidates.entries()) {
      if (changed[index] === null) continue;
      const now = after.get(String(index)) ?? [];
      const different =
        candidate.kind === "alias"
          ? now.filter((mention) => !before.has(spanOf(mention)) && !isOthers(mention, answer))
          : takenFrom(before, now);
      const of = counts[index];
      if (of === undefined || different.length === 0) continue;
      of.mentions += different.length;
      of.answers++;
      for (const { start, end } of different.slice(0, evidenceMax - of.evidence.length))
        of.evidence.push(snippetOf(answer, start, end));
    }
  }
  const shown = new Map<string, number>();
  return candidates.flatMap(({ kind, text, caseSensitive, alsoAliases, reason }, index) => {
    const of = counts[index];
    const sameReason = shown.get(reason) ?? 0;
    if (of === undefined || of.mentions === 0 || sameReason >= shownMax[reason]) return [];
    shown.set(reason, sameReason + 1);
    return [{ kind, text, caseSensitive, alsoAliases, reason, ...of }];
  });
}

const spanOf = ({ start, end }: Mention): string => `${start}-${end}`;

function takenFrom(before: ReadonlyMap<string, Mention>, after: readonly Mention[]): Mention[] {
  const kept = new Set(after.map(spanOf));
  return [...before].filter(([span]) => !kept.has(span)).map(([, mention]) => mention);
}

function snippetOf(
  { observationId, text }: SearchedAnswer,
  start: number,
  end: number,
): NameProposal["evidence"][number] {
  const from = beforePair(text, Math.max(0, start - snippetChars));
  const to = beforePair(text, Math.min(text.length, end + snippetChars));
  return { observationId, snippet: text.slice(from, to), start: start - from, end: end - from };
}

/** Not within the two units of a character. */
const beforePair = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff && at > 0 ? at - 1 : at;
};

/** A word beside a name, and what the two say together. */
interface Beside {
  /** As a negative context has it: `apple juice`. */
  readonly phrase: string;
  readonly word: string;
  /** `word`: it says that a word of the language is meant; `quantity`: that a number is. */
  readonly sense: "word" | "quantity" | null;
  /** It is neither a name nor a common noun of companies, so that it may be a sign of another sense. */
  readonly isPlain: boolean;
}

/** So many characters on each side are looked at. */
const charsBeside = 24;
const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The words directly before and after a mention. */
function besideName(text: string, { start, end }: Mention): Beside[] {
  const name = text.slice(start, end);
  const before = text.slice(Math.max(0, start - charsBeside), start);
  const after = text.slice(end, end + charsBeside);
  const isUnspaced = unspacedScript.test(name.slice(-1)) || unspacedScript.test(name.slice(0, 1));
  const found = isUnspaced ? besideUnspaced(name, before, after) : besideSpaced(name, before, after);
  return found.filter(({ word }) => word !== "");
}

const magnitude = /^\d+(?:[.,]\d+)?[kmb]$/iu;

function besideSpaced(name: string, before: string, after: string): Beside[] {
  const found: Beside[] = [];
  const next = /^([ \u00a0-])(\p{L}[\p{L}\p{M}’']*)/u.exec(after);
  if (next !== null) {
    const [, separator = " ", word = ""] = next;
    const isSense = isSenseWord(word, "after");
    const isQuantity = magnitude.test(name) && /^\p{Ll}{3,}s$/u.test(word);
    found.push({
      phrase: `${name}${separator === "-" ? "-" : " "}${word}`,
      word,
      sense: isSense ? "word" : isQuantity ? "quantity" : null,
      isPlain: isPlainWord(word),
    });
  }
  const previous = /(?<![\p{L}\p{M}’'])(\p{L}[\p{L}\p{M}]*)[ \u00a0]$/u.exec(before);
  if (previous !== null) {
    const [, word = ""] = previous;
    const sense = isSenseWord(word, "before") ? "word" : null;
    found.push({ phrase: `${word} ${name}`, word, sense, isPlain: isPlainWord(word) });
  }
  return found;
}

/** In lower case, if its script has case, and long enough to mean something. */
const isPlainWord = (word: string): boolean =>
  !/^\p{Lu}/u.test(word) &&
  !koreanNouns.has(word.normalize("NFKD")) &&
  (word.length > 3 || !/^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word));

function besideUnspaced(name: string, before: string, after: string): Beside[] {
  const found: Beside[] = [];
  const sides = [
    { side: "after", beside: /^[^\s\p{P}\p{S}]+/u.exec(after)?.[0] ?? "" },
    { side: "before", beside: /[^\s\p{P}\p{S}]+$/u.exec(before)?.[0] ?? "" },
  ] as const;
  for (const { side, beside } of sides) {
    if (beside === "") continue;
    const phraseOf = (word: string): string => (side === "after" ? name + word : word + name);
    const sense = senseCharacters(beside, side);
    if (sense !== null) {
      found.push({ phrase: phraseOf(sense), word: sense, sense: "word", isPlain: false });
      continue;
    }
    const words = Array.from(segmenter.segment(beside), ({ segment }) => segment);
    const word = (side === "after" ? words[0] : words.at(-1)) ?? "";
    found.push({ phrase: phraseOf(word), word, sense: null, isPlain: isPlainUnspaced(word) });
  }
  return found;
}

/** Neither a particle nor a noun that follows the names of companies. */
const isPlainUnspaced = (word: string): boolean =>
  unspacedScript.test(word) &&
  !/^\p{Script=Hiragana}{1,4}$/u.test(word) &&
  !chineseAfter.has(word) &&
  !katakanaNouns.has(word.normalize("NFKD")) &&
  !/^(?:和|与|及|在|从|把|被|用|买|还|也|都|就|或|但|而|比|对|让|是|有|的|了|แล้ว|และ|ที่|ของ|ใน|กับ)$/u.test(word);

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** Pairs of a character and what it is in another script or standard. */
const pairsOf = (table: string): (readonly [string, string])[] =>
  table.split("|").map((pair) => {
    const [from = "", to = ""] = pair.split(" ");
    return [from, to];
  });

const simplified = new Map(pairsOf(traditionalToSimplified));
const traditional = new Map(pairsOf(simplifiedToTraditional));
const ofTaiwan = new Map(pairsOf(taiwan));
const ofHongKong = new Map(pairsOf(hongKong));

/**
 * The ways to write a name in the other Chinese script, in the standards of Taiwan and Hong Kong, too: `網易` of `网易`. Some characters
 * have several counterparts or keep their form, which depends on the name, so these are all that may be; answers show which is meant. The
 * library's tables of phrases would tell more of them, but take 250 MB. Empty for Japanese names with kana.
 */
export function inOtherChineseScript(name: string): string[] {
  if (!/\p{Script=Han}/u.test(name) || /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(name))
    return [];
  let written = [""];
  for (const character of name) {
    const forms = formsOf(character);
    // A name with more characters that have several forms keeps the first of each.
    const allowed = written.length * forms.length > scriptFormsMax ? forms.slice(0, 1) : forms;
    written = written.flatMap((start) => allowed.map((form) => start + form));
  }
  return written.filter((form) => form !== name);
}

const scriptFormsMax = 32;

/** What a character may be in the other script, the likeliest first, and itself. */
function formsOf(character: string): string[] {
  const full = traditional.get(character) ?? character;
  const forms = [full, ofTaiwan.get(full), ofHongKong.get(full), simplified.get(character), character];
  const other = forms.find((form) => form !== undefined && form !== character);
  return [...new Set([other ?? character, ...forms.filter((form) => form !== undefined)])];
}

/**
 * Words that stand beside a name where it is a word of the language: food, plants, animals, water and land, buildings, the time of day.
 * They only lead to proposals, so a word may be here although a brand can stand beside it, too: `Apple Store` is no fruit, and `store`
 * is not here, but `apple juice` is a drink in nearly every answer.
 */
const afterName = `
  juice cider pie tree trees sauce vinegar orchard orchards crumble strudel jam jelly jams puree peel core slices slice seed seeds cake cakes tart
  muffin muffins smoothie smoothies salad blossom blossoms wood bark leaf leaves root roots fruit fruits bush bushes picking fritters fritter compote syrup
  river rivers basin rainforest jungle delta creek lake bay beach island islands mountain mountains valley forest desert peninsula county strait canyon falls
  station stations platform tunnel line tracks larva larvae larve cub cubs habitat species den bite skin milk shell shells
  pool pools level levels turns wave waves current currents pattern patterns
  morning mornings afternoon afternoons evening evenings night nights noon
  saft baum bäume kuchen mus essig schorle blüte fluss tal insel wald regenwald strand gebirge becken
  jus tarte compote arbre fleuve forêt vallée île plage bassin
  zumo jugo tarta árbol río selva valle isla playa cuenca
  succo torta albero fiume foresta valle isola spiaggia
  suco torta árvore floresta vale ilha praia bacia
  sap taart boom rivier regenwoud eiland strand
  sok drzewo rzeka las wyspa plaża dorzecze
  сок дерево река лес остров пляж бассейн пирог утром вечером`;

const beforeName = `
  río rio fiume fleuve rivière river rivier fluss rzeka řeka reka река річка lake lac lago mount mont monte low high solar ripe raw wild fresh baked
  green crisp rotten sliced peeled candied caramel red-striped toffee spring neap ebb flood
  sok zumo jugo suco succo jus сок saft klejąca клейкая изоляционная неодимовый`;

/** Beside a name of a script without spaces: also as the first or last characters of what stands beside it. */
const afterUnspaced = `
  汁 果汁 树 樹 派 粥 饭 飯 醋 酱 醬 皮 核 园 園 泥 籽 糕 汤 湯 茶 酒 辣 油 花 叶 葉 木 林 肉 片 干 乾 粉 浴池 浴室 澡堂 食堂 路 街 村 镇 鎮 河 江 湖 山 岛 島 雨林 盆地 流域
  早上 晚上 化 们 們 到 起 审美 審美 文化 心理 媒体 媒體 舆论 輿論 脚下 遗址 遺址 砖 磚 风景 風景 景色
  ジュース の木 の首 の実 パイ 畑 狩り 園 川 山 島 湖 の花 酢 の皮 の種 の群れ の赤ちゃん
  น้ำ ป่า`;

const beforeUnspaced = `吃 喝 摘 削 啃 榨 种 種 红 紅 青 烂 爛 斤 爬 登 游 万里 萬里 熬 煮 很 多么 炒 动物园 動物園 動物園の 野生の`;

const folded = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/u).map(foldWord));

const spaced = { before: folded(beforeName), after: folded(afterName) };
const unspaced = {
  before: beforeUnspaced.trim().split(/\s+/u),
  after: afterUnspaced.trim().split(/\s+/u),
};

/** True if a word beside a name says that a word of the language is meant. */
const isSenseWord = (word: string, side: "before" | "after"): boolean => spaced[side].has(foldWord(word));

/** The same in scripts without spaces: the characters that say so, next to the name. */
function senseCharacters(beside: string, side: "before" | "after"): string | null {
  let longest: string | null = null;
  for (const word of unspaced[side]) {
    const isBeside = side === "after" ? beside.startsWith(word) : beside.endsWith(word);
    if (isBeside && word.length > (longest?.length ?? 0)) longest = word;
  }
  return longest;
}
