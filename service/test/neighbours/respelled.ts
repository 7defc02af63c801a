/**
 * Two thousand entities with fifty case-sensitive aliases each, which all spell the same words: 100,000 names of the same letters. The
 * first letter is never a capital, so that none is the spelling of a sentence.
 */
export const respelled = (word: string) => {
  const spelling = (nth: number) =>
    [...word].map((letter, at) => (((2 * nth) >> at) & 1 ? letter.toUpperCase() : letter)).join("");
  return Array.from({ length: 2_000 }, (_, nth) => ({
    name: `Brand ${nth}`,
    aliases: Array.from({ length: 50 }, (_, alias) => ({ text: spelling(nth * 50 + alias + 1), caseSensitive: true })),
  }));
};
