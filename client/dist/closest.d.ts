/** The most similar word. Null if more than a third of it differs. */
export declare function closest(word: string, words: readonly string[]): string | null;
