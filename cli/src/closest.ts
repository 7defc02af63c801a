import { closest as nearest } from "fastest-levenshtein";

/** The one that was probably meant. */
export const closest = (word: string, words: readonly string[]): string => nearest(word, [...words]);
