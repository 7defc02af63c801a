/** Reading of other services' JSON, of which nothing is certain. */

/** A line is not what its format says. The message is for the client. */
export class NotAnAnswer extends Error {
  /** Where in the line. */
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.name = "NotAnAnswer";
    this.pointer = pointer;
  }
}

export type Members = Readonly<Record<string, unknown>>;

export const members = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};

export const elements = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Storable text of at most this length; null if it is none, or empty. */
export function textOf(value: unknown, charsMax: number): string | null {
  if (typeof value !== "string") return null;
  const text = value
    .replaceAll("\0", "")
    .toWellFormed()
    .slice(0, charsMax)
    .replace(/[\uD800-\uDBFF]$/u, "");
  return text === "" ? null : text;
}

/** `2025-06-05 12:00:00 UTC` or `2025-06-05 12:00:00 +00:00`, as ISO 8601; null if it is no time. */
export function timeOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const time = new Date(
    value
      .replace(/ UTC$/, "Z")
      .replace(/^(\d{4}-\d\d-\d\d) /, "$1T")
      .replace(" ", ""),
  );
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** Sources in the order of the list, without those that have no address. */
export function sourcesOf(list: unknown, address: "link" | "url"): { url: string; title: string | null }[] {
  return elements(list).flatMap((each) => {
    const url = textOf(members(each)[address], 8192);
    return url === null ? [] : [{ url, title: textOf(members(each)["title"], 2000) }];
  });
}
