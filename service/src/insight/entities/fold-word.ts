import { foldCharacter } from "./fold-character.ts";

/** The folded characters of a word or phrase, without what separates them: two that are the same to the matcher have the same. */
export function foldWord(word: string): string {
  let folded = "";
  for (const character of word) {
    const { kind, codes } = foldCharacter(character.codePointAt(0) ?? 0);
    if (kind === "atoms") folded += String.fromCodePoint(...codes);
  }
  return folded;
}
