import type { Source } from "@querent/contract";
import { canonicalAddress, namedSite } from "../kernel/addresses/canonical-address.ts";
import { siteOf } from "../kernel/web-address.ts";
import { keptAddress } from "./address.ts";
import { factCharsMax, sourcesMax, summaryCharsMax, titleCharsMax } from "./bounds.ts";
import { possibleDate } from "./possible-date.ts";
import { oneLine, severalLinesOrNull } from "./text.ts";

/**
 * Sources in the order of first citation, one per page. The first one's URL stays as given, including tracking parameters,
 * because it is evidence. Fields that the first one lacks are taken from later ones of the same page.
 */
export function mergeSources(sources: readonly Source[], observedAt: Date): Source[] {
  const merged: Source[] = [];
  const byAddress = new Map<string, Source>();
  for (const [index, given] of sources.entries()) {
    const source = cleaned(given, observedAt);
    const page = index < comparedMax ? canonicalAddress(source.url) : null;
    const address = page?.address ?? source.url;
    const known = address === "" ? undefined : byAddress.get(address);
    if (known !== undefined) {
      known.title ||= source.title;
      known.site ||= source.site;
      known.summary ??= source.summary;
      known.publishedAt ??= source.publishedAt;
      continue;
    }
    if (address !== source.url) source.canonicalUrl = address;
    if (page?.isOpaque === true) source.opaque = true;
    merged.push(source);
    if (address !== "") byAddress.set(address, source);
  }
  for (const source of merged) {
    const { host = "", domain = "" } = (source.opaque && canonicalAddress(source.url, namedSite(source))) || {};
    if (source.opaque === true) source.domain = domain;
    source.site ||= host || siteOf(source.url);
    source.title ||= source.site;
  }
  return merged;
}

/** Twice as many as a result has. Those after them are the same only if their URL is, because comparing takes time. */
const comparedMax = 2 * sourcesMax;

function cleaned(source: Source, observedAt: Date): Source {
  return {
    title: oneLine(source.title, titleCharsMax),
    url: keptAddress(source.url),
    summary: severalLinesOrNull(source.summary, summaryCharsMax),
    site: oneLine(source.site, factCharsMax),
    publishedAt: possibleDate(source.publishedAt, observedAt),
  };
}
