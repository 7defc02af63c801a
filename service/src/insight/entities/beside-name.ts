import { chineseAfter, katakanaNouns, koreanNouns } from "./compound-words.ts";
import type { Mention } from "./find-mentions.ts";
import { isSenseWord, senseCharacters } from "./sense-words.ts";

/** A word beside a name, and what the two say together. */
export interface Beside {
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
export function besideName(text: string, { start, end }: Mention): Beside[] {
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
