/**
 * How much of an answer is stored. Lengths of strings count UTF-16 code units (`Chars`) or UTF-8 bytes (`Bytes`). Truncated
 * text ends in `…`; omitted list elements are counted in a closing line of `content`, so nothing is lost silently.
 */

/**
 * The text of the answer without cards: twice the longest answer of today's models (128,000 tokens). Parsing, serializing and
 * storing this much takes the main thread up to 50 ms per step; 16 MiB took seconds, during which the process answered no
 * requests. The `simulator` makes answers up to this size.
 */
export const contentBytesMax = 1024 * 1024;
export const pageHtmlBytesMax = 4 * 1024 * 1024;
/** The texts of all reasoning steps together, in UTF-16 code units. Further steps are omitted. */
export const reasoningCharsMax = 1024 * 1024;
/** The platform's original bytes. A longer response is not stored at all: part of an answer cannot be parsed again. */
export const rawBytesMax = 16 * 1024 * 1024;

export const cardsMax = 500;
export const sourcesMax = 1_000;
export const reasoningStepsMax = 1_000;
export const searchStepsMax = 200;
export const searchResultsPerStepMax = 100;
export const sellingPointsMax = 20;

/** Names and titles: one line. */
export const titleCharsMax = 1_000;
/** Short facts: price, shop, duration, counts. */
export const factCharsMax = 500;
/** Summaries of sources and texts of media cards. */
export const summaryCharsMax = 10_000;
/** The part of a media card's text that is shown in `content`; the array has it up to `summaryCharsMax`. */
export const cardTextCharsMax = 1_000;
export const reasoningTextCharsMax = 100_000;
/** A longer URL counts as absent: part of a URL leads nowhere, or elsewhere. */
export const addressCharsMax = 8_192;
