/** A copy of the text, because a substring keeps the whole string in memory. */
export const copyOf = (text: string): string => Buffer.from(text).toString();
