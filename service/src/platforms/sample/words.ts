/**
 * Tokenizes text for the search. Chinese and Japanese have no spaces: they are segmented by `Intl.Segmenter`, and longer words
 * are also indexed as pairs of characters, since a question may segment the same text differently. Korean words are indexed as
 * pairs, so that a word is found with another particle. English words are stemmed, roughly: it only matters that both sides are
 * stemmed in the same way.
 */
export interface Word {
  /** The form that is compared. */
  readonly term: string;
  /** The form that is shown. */
  readonly shown: string;
}

export function* words(text: string): Generator<Word> {
  for (const match of text.normalize("NFKC").toLowerCase().matchAll(runs)) {
    const { unspaced, hangul, spaced } = match.groups ?? {};
    if (unspaced !== undefined) yield* unspacedWords(unspaced);
    else if (hangul !== undefined) yield* withPairs(hangul);
    else if (spaced !== undefined && isWord(spaced)) yield { term: stem(spaced), shown: spaced };
  }
}

/** The terms of `text`, with repetitions. */
export function terms(text: string): string[] {
  return [...words(text)].map(({ term }) => term);
}

/** The meaningful words of a question: each once, without stop words. */
export function questionWords(question: string): Word[] {
  const all = new Map<string, Word>();
  for (const word of words(question)) if (!all.has(word.term)) all.set(word.term, word);
  return [...all.values()].filter((word) => !isCommon(word)).slice(0, questionWordsMax);
}
const questionWordsMax = 40;

export const isCommon = ({ shown }: Word): boolean => commonWords.has(shown);

const runs =
  /(?<unspaced>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+)|(?<hangul>\p{Script=Hangul}+)|(?<spaced>[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]]+)/gv;

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

function* unspacedWords(run: string): Generator<Word> {
  for (const { segment } of segmenter.segment(run)) yield* withPairs(segment);
}

function* withPairs(word: string): Generator<Word> {
  yield { term: word, shown: word };
  const characters = [...word];
  if (characters.length < 3) return;
  for (let index = 0; index + 1 < characters.length; index += 1) {
    const pair = `${characters[index]}${characters[index + 1]}`;
    yield { term: pair, shown: pair };
  }
}

/** Single Latin letters are remains of `don't` and `l'eau`; single digits are meaningful. */
const isWord = (run: string): boolean => run.length > 1 || /\p{N}/u.test(run);

function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/u.test(word)) return word;
  let stemmed = word;
  if (/[^ae]ies$/u.test(stemmed)) stemmed = `${stemmed.slice(0, -3)}y`;
  else if (/[^us]s$/u.test(stemmed)) stemmed = stemmed.slice(0, -1);
  if (stemmed.length >= 6) stemmed = stemmed.replace(/(?:ing|ed)$/u, "").replace(/([^aeiouls])\1$/u, "$1");
  return stemmed.length >= 4 ? stemmed.replace(/e$/u, "") : stemmed;
}

const commonWords = new Set(
  `a about after all also am an and any are as at be been before being best better but by can could did do does doing done
  else ever every for from get gets getting give good got had has have having he help her his how if in into is it its just
  know like made make makes making many may me mean means might more most much must my need needs no not of off on one only
  or other our out over please really say says shall she should show so some still such tell than that the their them then
  there these they thing things this those to too under up us use used uses using very want buy buying choose choosing recommend recommended recommendation suggest was way ways we well were what
  when where which while who whom whose why will with work works would you your yours explain between vs versus
  的 了 吗 呢 吧 啊 是 在 和 与 及 或 有 没有 我 你 他 她 它 我们 你们 他们 什么 怎么 怎样 如何 为什么 为何 多少 几 哪 哪个 哪些 哪里 谁 请 请问
  会 能 可以 应该 需要 要 想 把 被 对 从 到 给 让 用 做 一个 一种 这 那 这个 那个 不 也 都 就 还 很 最 更 好 比较 时候 の は が を に で と も です ます か`.split(
    /\s+/u,
  ),
);
