/** The questions in what people paste: lines, or texts of forums and mails. */
import type { FoundText } from "../engine/propose.ts";
import { isQuestion, languageOf, textCharsMax, tidy } from "../engine/read-text.ts";
import type { Tally } from "./tally.ts";

const questionsMax = 20_000;
/** Sentences are looked for in a line up to this length, and a longer one is cut into such parts. */
const partChars = 2_000;

export function* pastedTexts(
  pasted: string,
  assumed: string | null,
  tally: Tally,
): Generator<FoundText | void, void, void> {
  const sentences = new Intl.Segmenter("en", { granularity: "sentence" });
  let line = 0;
  for (let at = 0; at < pasted.length;) {
    const end = pasted.indexOf("\n", at);
    const whole = pasted.slice(at, end === -1 ? pasted.length : end);
    at = end === -1 ? pasted.length : end + 1;
    line++;
    for (let from = 0; from < whole.length; from += partChars) {
      for (const { segment } of sentences.segment(whole.slice(from, from + partChars))) {
        const text = tidy(segment);
        if (text === "") continue;
        if (!isQuestion(text.slice(0, textCharsMax), languageOf(text.slice(0, textCharsMax)) ?? assumed))
          tally.leaveOut("no_question");
        else if (tally.found >= questionsMax) tally.leaveOut("too_many");
        else if (tally.takes(text, textCharsMax)) yield { text, evidence: { origin: "pasted", line } };
      }
      yield;
    }
  }
}
