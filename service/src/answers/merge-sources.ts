import type { Source } from "@querent/contract";
import { siteOf } from "../kernel/web-address.ts";
import { canonicalAddress, keptAddress } from "./address.ts";
import { factCharsMax, summaryCharsMax, titleCharsMax } from "./bounds.ts";
import { possibleDate } from "./possible-date.ts";
import { oneLine, severalLinesOrNull } from "./text.ts";

/**
 * Sources in the order of first citation, one per page. The first one's URL stays as given, including tracking parameters,
 * because it is evidence. Fields that the first one lacks are taken from later ones of the same page.
 */
export function mergeSources(sources: readonly Source[], observedAt: Date): Source[] {
  const merged: Source[] = [];
  const byAddress = new Map<string, Source>();
  for (const given of sources) {
    const source = cleaned(given, observedAt);
    const address = canonicalAddress(source.url);
    const known = address === "" ? undefined : byAddress.get(address);
    if (known === undefined) {
      merged.push(source);
      if (address !== "") byAddress.set(address, source);
    } else {
      known.title ||= source.title;
      known.site ||= source.site;
      known.summary ??= source.summary;
      known.publishedAt ??= source.publishedAt;
    }
  }
  for (const source of merged) {
    source.site ||= siteOf(source.url);
    source.title ||= source.site;
  }
  return merged;
}

function cleaned(source: Source, observedAt: Date): Source {
  return {
    title: oneLine(source.title, titleCharsMax),
    url: keptAddress(source.url),
    summary: severalLinesOrNull(source.summary, summaryCharsMax),
    site: oneLine(source.site, factCharsMax),
    publishedAt: possibleDate(source.publishedAt, observedAt),
  };
}
