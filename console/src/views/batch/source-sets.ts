/** Which sources several answers share, and which one alone has. */
import type { Source } from "@querent/client";
import { hostOf, isWebAddress } from "../task/web-address.ts";

export interface CitedSource {
  /** A site, or an address. */
  readonly name: string;
  /** An address to open; null when it is no web page. */
  readonly url: string | null;
  readonly title: string;
  /** How often each answer cites it, in the order of the answers. */
  readonly times: readonly number[];
}

type SharedSource = Pick<Source, "url" | "title"> &
  Partial<Pick<Source, "canonicalUrl" | "opaque" | "domain" | "site">>;

/** The sources by site or by address, those that most answers share first. */
export function sourceSets(
  answers: readonly { readonly sources: readonly SharedSource[] }[],
  by: "domain" | "address",
): readonly CitedSource[] {
  const found = new Map<string, { name: string; url: string; title: string; times: number[] }>();
  for (const [index, { sources }] of answers.entries()) {
    for (const source of sources) {
      const { url, title, opaque, domain = "", canonicalUrl = url } = source;
      // A redirect that hides its page can share only its site, if that is known.
      if (opaque === true && (by === "address" || domain === "")) continue;
      const name = by === "address" ? shown(canonicalUrl) : opaque === true ? namedSite(source) : siteOf(canonicalUrl);
      const entry = found.get(name) ?? { name, url, title, times: answers.map(() => 0) };
      entry.times[index] = (entry.times[index] ?? 0) + 1;
      found.set(name, entry);
    }
  }
  return [...found.values()]
    .map((entry) => ({ ...entry, url: isWebAddress(entry.url) ? entry.url : null }))
    .sort(
      (one, other) => sharedBy(other) - sharedBy(one) || total(other) - total(one) || (one.name < other.name ? -1 : 1),
    );
}

/** How many answers cite it. */
export const sharedBy = ({ times }: CitedSource): number => times.filter((count) => count > 0).length;

const total = ({ times }: CitedSource): number => times.reduce((sum, count) => sum + count, 0);

const siteOf = (url: string): string => hostOf(url).replace(/^www\./, "") || url.slice(0, 200);

/** The host that the platform names beside a redirect, which stands with the pages of that host; the domain if it only gives a name. */
function namedSite({ site = "", domain = "" }: SharedSource): string {
  const host = site.toLowerCase().replace(/^www\./, "");
  return host.endsWith(`.${domain}`) ? host : domain;
}

/** An address as it is read: without its scheme. */
const shown = (address: string): string => address.slice(0, 2000).replace(/^https:\/\//u, "");
