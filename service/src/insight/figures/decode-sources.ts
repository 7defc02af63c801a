import { sitesIn, type CitedSite, type AnswerSource } from "@querent/figures";
import { copyOf } from "./copy-of.ts";
import { sharedSites } from "./shared-sites.ts";

export type DecodeSources = (text: string) => readonly CitedSite[];

const first = '[["';
const next = '],["';
const end = "]]";

/**
 * The sites of the sources of an answer, from the text of `observations.cited_sites`. Most are cited by many answers, so each is parsed once,
 * and found by its text: a quotation mark inside a string has a backslash before it, so `next` is never a part of a string. An answer
 * that an earlier version wrote has the text of `observations.sources` instead, a list of objects.
 */
export function sourceDecoder(): DecodeSources {
  const share = sharedSites();
  const known = new Map<string, readonly CitedSite[]>();
  const sitesOf = (piece: string): readonly CitedSite[] => {
    const before = known.get(piece);
    if (before !== undefined) return before;
    const [host, domain, type, count] = JSON.parse(`["${piece}]`) as [string, string, string | null, number];
    const sites = Array<CitedSite>(count).fill(share({ host, domain, type }));
    known.set(copyOf(piece), sites);
    return sites;
  };
  return (text) => {
    if (text === "[]") return none;
    if (!text.startsWith(first)) return sitesIn(JSON.parse(text) as AnswerSource[]).map(share);
    const found: CitedSite[] = [];
    for (const piece of text.slice(first.length, -end.length).split(next)) found.push(...sitesOf(piece));
    return found;
  };
}

const none: readonly CitedSite[] = [];
