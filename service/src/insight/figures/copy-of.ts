/** The text in memory of its own: a part of a text keeps the whole in memory. */
export const copyOf = (text: string): string => Buffer.from(text).toString();
