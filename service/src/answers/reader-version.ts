/**
 * The version of the code that turns a platform's response into a result, as part of the instrument of an observation. Increase it
 * when the same response is read differently, so that a series shows where that began.
 */
export const readerVersion = 1;
