import type { FigureRow } from "@querent/client";

interface Words {
  readonly noAnswers: string;
  readonly noneCounts: (why: string) => string;
  readonly leftOut: Readonly<Record<string, (count: number) => string>>;
  readonly leftOutOther: (count: number) => string;
}

/** Why no answer counts in a figure. Where there are answers, more of them may not help: it says what they lack, the most frequent first. */
export function whyNone(leftOut: FigureRow["leftOut"], words: Words): string {
  const why = Object.entries(leftOut)
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one)
    .map(([code, count]) => (words.leftOut[code] ?? words.leftOutOther)(count));
  return why.length === 0 ? words.noAnswers : words.noneCounts(why.join(", "));
}
