/** The sentences of a text, for negative contexts: the end of a line ends one too. */
export interface Sentences {
  /** Ascending with the offset. */
  indexAt(offset: number): number;
}

export function sentencesOf(text: string): Sentences {
  const ends = Array.from(text.matchAll(/[.!?…؟][*_"'”’)\]]*(?=\s)|[。！？]|\n/gu), ({ index }) => index);
  return {
    indexAt(offset) {
      let [low, high] = [0, ends.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((ends[middle] ?? 0) < offset) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
