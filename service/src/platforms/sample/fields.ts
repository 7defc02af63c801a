/** Reads the fields of hand-written objects, and reports the position of an error. */
import { titleCharsMax } from "./limits.ts";
import { UnreadableError } from "./corpus.ts";

export type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown, place: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UnreadableError(place, "must be an object with fields");
  }
  return value as Fields;
}

export function optionalText(from: Fields, name: string, place: string, charsMax = 10_000): string | null {
  const value = from[name];
  if (value === undefined || value === null) return null;
  // `price: 129` in YAML is a number; the text was intended.
  const text = typeof value === "number" ? String(value) : value;
  const at = `${place}/${name}`;
  if (typeof text !== "string") throw new UnreadableError(at, "must be text");
  if (text.length > charsMax) throw new UnreadableError(at, `must be at most ${charsMax} characters long`);
  return text.trim() === "" ? null : text.toWellFormed().replaceAll("\0", "\uFFFD").trim();
}

export function requiredText(from: Fields, name: string, place: string, charsMax?: number): string {
  const text = optionalText(from, name, place, charsMax);
  if (text === null) throw new UnreadableError(`${place}/${name}`, "is missing");
  return text;
}

export function texts(from: Fields, name: string, place: string): string[] {
  const value = from[name];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > 50) {
    throw new UnreadableError(`${place}/${name}`, "must be a list of at most 50 texts");
  }
  const list: Fields = Object.fromEntries(value.entries());
  return value.map((_, index) => requiredText(list, String(index), `${place}/${name}`));
}

export function webAddress(from: Fields, name: string, place: string): string | null {
  const text = optionalText(from, name, place, 2_048);
  if (text === null || (/^https?:\/\//iu.test(text) && URL.canParse(text))) return text;
  throw new UnreadableError(`${place}/${name}`, "must be an address that begins with http:// or https://");
}

export function date(from: Fields, name: string, place: string): string | null {
  const text = optionalText(from, name, place, 100);
  if (text === null) return null;
  const time = /^\d{4}-\d{2}-\d{2}/u.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new UnreadableError(`${place}/${name}`, "must be a date such as 2026-03-14");
  return new Date(time).toISOString();
}

export function onlyKnown(from: Fields, known: readonly string[], place: string): void {
  const unknown = Object.keys(from).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UnreadableError(`${place}/${unknown}`, `is not a field here; fields are ${known.join(", ")}`);
  }
}

/** The fields of every document, regardless of its format. Other fields are ignored: folders are shared with other programs. */
export function documentFields(from: Fields, place: string) {
  const url = webAddress(from, "url", place) ?? "";
  return {
    title: optionalText(from, "title", place, titleCharsMax),
    url,
    site:
      optionalText(from, "site", place, titleCharsMax) ??
      (url === "" ? "" : new URL(url).hostname.replace(/^www\./u, "")),
    publishedAt: date(from, "publishedAt", place),
  };
}
