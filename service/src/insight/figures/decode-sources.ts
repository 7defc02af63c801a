import { sourcesIn, type SourceInAnswer } from "@querent/figures";
import { sharedSources } from "./shared-sources.ts";
import { copyOf } from "./copy-of.ts";

export type DecodeSources = (text: string) => readonly SourceInAnswer[];

/** More are compared with a set. */
const comparedMax = 32;
const first = '[{"url": ';
const next = '}, {"url": ';
const end = "}]";

/**
 * The sources of an answer, each canonical URL once, from the text of `observations.sources`. Most sources are cited by many answers,
 * so each is parsed once, and found by its text. PostgreSQL writes the members of `jsonb` in the order of their lengths, `url` first;
 * and a quotation mark inside a string has a backslash before it, so `next` is never a part of a string. A text of another form is
 * parsed as a whole.
 */
export function sourceDecoder(): DecodeSources {
  const share = sharedSources();
  const known = new Map<string, SourceInAnswer>();
  const whole: DecodeSources = (text) => sourcesIn(JSON.parse(text) as SourceInAnswer[]).map(share);
  return (text) => {
    if (text === "[]") return none;
    if (!text.startsWith(first) || !text.endsWith(end)) return whole(text);
    const found: SourceInAnswer[] = [];
    for (const piece of text.slice(first.length, -end.length).split(next)) {
      let source = known.get(piece);
      if (source === undefined) {
        const parsed = parse(piece);
        if (parsed === null) return whole(text);
        source = share(parsed);
        known.set(copyOf(piece), source);
      }
      const { canonicalUrl } = source;
      if (!found.some((one) => one.canonicalUrl === canonicalUrl)) found.push(source);
      if (found.length > comparedMax) return whole(text);
    }
    return found;
  };
}

const none: readonly SourceInAnswer[] = [];

/** Null: it is not one object. */
function parse(piece: string): SourceInAnswer | null {
  try {
    const { canonicalUrl, domain, type } = JSON.parse(`{"url": ${piece}}`) as SourceInAnswer;
    return { canonicalUrl, domain, type };
  } catch {
    return null;
  }
}
