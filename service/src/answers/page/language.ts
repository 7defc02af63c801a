/** Languages that share characters with different shapes; a page uses one of them. */
export type PageLanguage = "zh" | "ja" | "ko" | "en";

const sampleChars = 20_000;

/** The most likely language of a text, as far as the shapes of its characters depend on it. */
export function languageOf(text: string): PageLanguage {
  const sample = text.slice(0, sampleChars);
  const count = (pattern: RegExp) => sample.match(pattern)?.length ?? 0;
  const han = count(/\p{Script=Han}/gu);
  const kana = count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const hangul = count(/\p{Script=Hangul}/gu);
  if (hangul > han + kana) return "ko";
  // A Japanese text has many kana to each Chinese character; a Chinese one may quote some.
  if (kana > 0 && kana * 4 > han) return "ja";
  return han > 0 ? "zh" : hangul > 0 ? "ko" : "en";
}
