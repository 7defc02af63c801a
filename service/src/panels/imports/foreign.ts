/** Reading of other services' JSON, of which nothing is certain. */
import { siteNamed } from "../../kernel/addresses/canonical-address.ts";

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

/** Several answers of a line are not what its format says. */
export class NotAnswers extends Error {
  readonly faults: readonly NotAnAnswer[];

  constructor(faults: readonly NotAnAnswer[]) {
    super(`${faults.length} faults`);
    this.name = "NotAnswers";
    this.faults = faults;
  }
}

/** What `read` makes of all values. Throws the faults of all of them, as far as they are faults. */
export function readEach<Value, Read>(
  values: readonly Value[],
  read: (value: Value, index: number) => readonly Read[],
): Read[] {
  const faults: NotAnAnswer[] = [];
  const results: Read[] = [];
  for (const [index, value] of values.entries()) {
    try {
      results.push(...read(value, index));
    } catch (error) {
      if (error instanceof NotAnAnswer) faults.push(error);
      else if (error instanceof NotAnswers) faults.push(...error.faults);
      else throw error;
    }
  }
  if (faults.length > 0) throw new NotAnswers(faults);
  return results;
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

const writtenTime = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?) ?(UTC|Z|[+-]\d\d:\d\d)?$/;

/** `2025-06-05 12:00:00 UTC` or `2025-06-05 12:00:00 +00:00`, as ISO 8601; null if it is no time. Without a zone, it is UTC. */
export function timeOf(value: unknown): string | null {
  const [, day, clock, zone = "UTC"] = (typeof value === "string" && writtenTime.exec(value)) || [];
  if (day === undefined) return null;
  const time = new Date(`${day}T${clock}${zone === "UTC" ? "Z" : zone}`);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

export interface ForeignSource {
  readonly url: string;
  readonly title: string | null;
  /** The first of the members that may name the site which is the name of a host. */
  readonly site?: string;
}

/** Sources in the order of the list, without those that have no address. */
export function sourcesOf(list: unknown, address: "link" | "url"): ForeignSource[] {
  return elements(list).flatMap((each) => {
    const source = members(each);
    const url = textOf(source[address], 8192);
    if (url === null) return [];
    const site = siteMembers.map((name) => textOf(source[name], 255) ?? "").find((name) => siteNamed(name) !== null);
    return [{ url, title: textOf(source["title"], 2000), ...(site === undefined ? {} : { site }) }];
  });
}

const siteMembers = ["domain", "source", "source_name", "site_name", "displayed_link"];
