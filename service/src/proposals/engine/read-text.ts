/** What a text of a proposal is: its language, its words, its intent, and whether it is a question. Pure functions over short texts. */
import { proposalLanguages, type PromptIntent, type ProposalLanguage } from "@querent/contract";
import { intentOrder, languageRules, latinLanguages } from "./languages.ts";

/** Longer ones are no prompts that people type. They bound the work of every rule. */
export const textCharsMax = 300;

/** One line, without marks of lists and quotations at its start. */
export function tidy(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .replace(/^(?:(?:[>*•·▪–—#-]|\d{1,3}[.)])\s+)+/u, "")
    .replace(/^(?:Q|F|P|问|質問)\s?[:：.]\s*/u, "")
    .replace(/^["'“”„«»「『]+|["'“”„«»」』]+$/gu, "")
    .trim();
}

/** The language by letters, then by the function words of the languages that share letters. Null: neither says it. */
export function languageOf(text: string): string | null {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja";
  if (/\p{Script=Han}/u.test(text)) return "zh";
  for (const [script, language] of otherScripts) if (script.test(text)) return language;
  const words = new Set(wordsIn(text, null).map(({ text: word }) => word.toLowerCase()));
  const scores = latinLanguages.map((language) => {
    const { stopWords, questionStart, intents } = languageRules[language];
    const known = [...words].filter((word) => stopWords.has(word)).length;
    const asked = questionStart.test(text) ? 1 : 0;
    const told = intentOrder.filter((intent) => intents[intent].test(text)).length;
    return { language, score: 2 * known + asked + told + (ownLetters[language].test(text) ? 2 : 0) };
  });
  scores.sort((one, other) => other.score - one.score);
  const [first, second] = scores;
  return first === undefined || first.score === 0 || first.score === second?.score ? null : first.language;
}

const otherScripts = [
  [/\p{Script=Hangul}/u, "ko"],
  [/\p{Script=Thai}/u, "th"],
  [/\p{Script=Hebrew}/u, "he"],
  [/\p{Script=Greek}/u, "el"],
] as const;
const ownLetters = { en: /(?!)/u, de: /[äöß]/iu, fr: /[çèêœàùû]/iu, es: /[ñ¿¡]/iu } as const;

/** The languages whose rules are tried on a text. */
export const rulesFor = (language: string | null): readonly ProposalLanguage[] => {
  const known = proposalLanguages.find((one) => one === language);
  return known === undefined ? (language === null ? latinLanguages : []) : [known];
};

export function isQuestion(text: string, language: string | null): boolean {
  if (/[?？؟]\s*$/u.test(text)) return true;
  return rulesFor(language).some((one) => {
    const { questionStart, questionAnywhere } = languageRules[one];
    return questionStart.test(text) || questionAnywhere?.test(text) === true;
  });
}

export function intentOf(
  text: string,
  language: string | null,
  { isBrandAlone }: { readonly isBrandAlone: boolean },
): { readonly intent: PromptIntent; readonly word: string | null } {
  // Whoever types nothing but a name looks for its page.
  if (isBrandAlone) return { intent: "navigational", word: null };
  for (const intent of intentOrder)
    for (const one of rulesFor(language)) {
      const word = languageRules[one].intents[intent].exec(text)?.[0];
      if (word !== undefined) return { intent, word: word.toLowerCase() };
    }
  return { intent: "informational", word: null };
}

/** Keywords as a question, where a rule can; null if none can, or if it is one. */
export function asQuestion(text: string, language: string | null): string | null {
  if (isQuestion(text, language)) return null;
  for (const one of rulesFor(language)) {
    const { asQuestion: patterns, inYear } = languageRules[one];
    const [, before = text, year] = inYear === null ? [] : (/^(.{3,200}) (20\d\d)$/u.exec(text) ?? []);
    for (const [pattern, replacement] of patterns) {
      if (!pattern.test(before)) continue;
      const question = before.replace(pattern, replacement);
      return year === undefined || inYear === null
        ? question
        : question.replace(/(\s?[?])$/u, `${inYear.replace("$1", year)}$1`);
    }
  }
  return null;
}

export interface WordPart {
  readonly text: string;
  readonly start: number;
}

const segmenters = new Map<string, Intl.Segmenter>();

/** Words by Unicode's rules, and by ICU's dictionaries where a script has no spaces. */
export function wordsIn(text: string, language: string | null): readonly WordPart[] {
  const key = language ?? "en";
  let segmenter = segmenters.get(key);
  if (segmenter === undefined) segmenters.set(key, (segmenter = new Intl.Segmenter(key, { granularity: "word" })));
  const found: WordPart[] = [];
  for (const { segment, index, isWordLike } of segmenter.segment(text))
    if (isWordLike === true) found.push({ text: segment, start: index });
  return found;
}

/** A content word: what is compared, and how it was written. */
export interface Term {
  readonly stem: string;
  readonly written: string;
  readonly start: number;
  readonly end: number;
}

/** The words that say what a text is about, in their order: without function words. */
export function termsIn(text: string, language: string | null): readonly Term[] {
  const stopWords = rulesFor(language).map((one) => languageRules[one].stopWords);
  return wordsIn(text, language).flatMap(({ text: written, start }) => {
    const lower = written.normalize("NFKC").toLowerCase();
    if (stopWords.some((words) => words.has(lower))) return [];
    return [{ stem: stemOf(lower, language), written, start, end: start + written.length }];
  });
}

/** A light stem: without the endings of plurals and cases, and without diacritics. It need not be a word. */
export function stemOf(lower: string, language: string | null): string {
  const plain = lower
    .replace(/['’]s$/u, "")
    .normalize("NFD")
    .replaceAll(/(?<=\p{Script=Latin})\p{M}/gu, "");
  if (!/^\p{Script=Latin}+$/u.test(plain)) return plain.normalize("NFC");
  switch (language) {
    case "de":
      return plain.length < 5 ? plain : plain.replace(/(?:ern|em|en|er|es|e|n|s)$/u, "");
    case "fr":
      return plain.length < 4 ? plain : plain.replace(/[sx]$/u, "").replace(/e$/u, "");
    case "es":
      return plain.length < 4 ? plain : plain.replace(/s$/u, "").replace(/[eoa]$/u, "");
    default:
      if (plain.length < 4) return plain;
      if (/[^ae]ies$/u.test(plain)) return `${plain.slice(0, -3)}y`;
      if (/(?:x|ch|sh|ss|z)es$/u.test(plain)) return plain.slice(0, -2);
      return /(?:ss|us|is)$/u.test(plain) ? plain : plain.replace(/s$/u, "");
  }
}

/**
 * The same for texts that ask the same: the stems of their words in their order, without function words. The sides of a comparison are
 * sorted, because `A vs B` asks the same as `B vs A`.
 */
export function canonicalOf(text: string, language: string | null): string {
  const stems = termsIn(text, language).map(({ stem }) => stem);
  if (stems.length === 0) return text.toLowerCase().normalize("NFKC");
  const at = stems.findIndex((stem) => stem === "vs" || stem === "versu");
  if (at <= 0 || at === stems.length - 1) return stems.join(" ");
  return [stems.slice(0, at).join(" "), stems.slice(at + 1).join(" ")].toSorted().join(" vs ");
}
