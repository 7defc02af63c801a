/** A range of media types, as a client lists them in `Accept`. */
interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  /** The place of the range in the header. */
  readonly place: number;
}

/**
 * Which of the offered media types a client prefers, by its `Accept` header (RFC 9110, section 12.5.1): the one with the highest quality;
 * of several, the one that is named most exactly, then first in the header, then first among the offered. Without a header, the first of
 * the offered. Null: it accepts none of them.
 */
export function negotiate<Type extends string>(accept: string | undefined, offered: readonly Type[]): Type | null {
  const ranges = rangesOf(accept ?? "");
  if (ranges.length === 0) return offered[0] ?? null;
  const judged = offered.flatMap((type) => {
    const range = rangeOf(ranges, type);
    return range === undefined || range.quality === 0 ? [] : [{ type, range, exactness: exactness(range, type) }];
  });
  const [best] = judged.toSorted(
    (one, other) =>
      other.range.quality - one.range.quality || other.exactness - one.exactness || one.range.place - other.range.place,
  );
  return best?.type ?? null;
}

/** How much a client wants a media type, from 0 (it does not accept it) to 1; and whether it names the type itself. */
export function acceptance(accept: string | undefined, type: string): { quality: number; isNamed: boolean } {
  const ranges = rangesOf(accept ?? "");
  if (ranges.length === 0) return { quality: 1, isNamed: false };
  const range = rangeOf(ranges, type);
  return range === undefined
    ? { quality: 0, isNamed: false }
    : { quality: range.quality, isNamed: exactness(range, type) === 3 };
}

/** The most exact range decides over a type; of equal ones, the first. */
const rangeOf = (ranges: readonly MediaRange[], type: string): MediaRange | undefined =>
  ranges.filter((one) => exactness(one, type) > 0).toSorted(byExactness(type))[0];

const byExactness =
  (type: string) =>
  (one: MediaRange, other: MediaRange): number =>
    exactness(other, type) - exactness(one, type) || one.place - other.place;

/** 3: the type itself, 2: `type/*`, 1: any type, 0: another. */
function exactness(range: MediaRange, offered: string): number {
  const [type, subtype] = offered.split("/");
  if (range.type === "*") return range.subtype === "*" ? 1 : 0;
  if (range.type !== type) return 0;
  return range.subtype === "*" ? 2 : range.subtype === subtype ? 3 : 0;
}

/** The length up to which a header is read. */
const charsMax = 4_096;

/** Parts that are no range of media types are left out, and parameters other than the quality are ignored. */
function rangesOf(accept: string): MediaRange[] {
  return accept
    .slice(0, charsMax)
    .split(",")
    .flatMap((part, place): MediaRange[] => {
      const [range = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
      const [, type, subtype] = /^([!#$%&'*+.^_`|~\w-]+)\/([!#$%&'*+.^_`|~\w-]+)$/u.exec(range) ?? [];
      if (type === undefined || subtype === undefined) return [];
      const given = parameters.find((parameter) => /^q\s*=/u.test(parameter))?.replace(/^q\s*=\s*/u, "");
      const quality = given === undefined ? 1 : /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/u.test(given) ? Number(given) : 1;
      return [{ type, subtype, quality, place }];
    });
}
