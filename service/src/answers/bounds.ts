/**
 * How much of an answer is kept. Lengths of strings count UTF-16 code units (`Chars`) or UTF-8 bytes (`Bytes`). What is cut
 * ends in `…`; what is left out of a list is counted in a closing line of `content`, so nothing goes missing silently.
 */

/**
 * The text of the answer, cards apart: twice what the longest answer of today's models has (128,000 tokens). Reading, writing and storing
 * so much takes the main thread up to 50 ms a step; 16 MiB took seconds, in which the process answered nobody.
 * The `simulator` makes answers up to this size.
 */
export const contentBytesMax = 1024 * 1024;
export const pageHtmlBytesMax = 4 * 1024 * 1024;
/** The texts of all reasoning steps together, in UTF-16 code units. Steps beyond it are left out. */
export const reasoningCharsMax = 1024 * 1024;
/** The platform's own bytes. More are not kept at all: half an answer can't be read again. */
export const rawBytesMax = 16 * 1024 * 1024;

export const cardsMax = 500;
export const sourcesMax = 1_000;
export const reasoningStepsMax = 1_000;
export const searchStepsMax = 200;
export const searchResultsPerStepMax = 100;
export const sellingPointsMax = 20;

/** Names and titles: one line. */
export const titleCharsMax = 1_000;
/** Short facts: price, shop, duration, numbers of things. */
export const factCharsMax = 500;
/** Summaries of sources and texts of media cards. */
export const summaryCharsMax = 10_000;
/** Of a media card's text, what stands in the card in `content`; the array has it to `summaryCharsMax`. */
export const cardTextCharsMax = 1_000;
export const reasoningTextCharsMax = 100_000;
/** A longer address counts as absent: half an address leads nowhere, or elsewhere. */
export const addressCharsMax = 8_192;
