/** Which sources several answers share, and which one alone has. */
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

/** By site or by address; those that most answers share first. */
export function sourceSets(
  answers: readonly { readonly sources: readonly { readonly url: string; readonly title: string }[] }[],
  by: "domain" | "address",
): readonly CitedSource[] {
  const found = new Map<string, { name: string; url: string; title: string; times: number[] }>();
  for (const [index, { sources }] of answers.entries()) {
    for (const { url, title } of sources) {
      const name = by === "domain" ? siteOf(url) : addressOf(url);
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

/** Two addresses are the same page when they differ in what only tells where somebody came from, or in a place on the page. */
function addressOf(url: string): string {
  if (!isWebAddress(url)) return url.slice(0, 2000);
  const address = new URL(url);
  for (const name of [...address.searchParams.keys()])
    if (/^(utm_\w+|gclid|fbclid|msclkid|srsltid)$/i.test(name)) address.searchParams.delete(name);
  address.hash = "";
  return `${address.host.replace(/^www\./, "")}${address.pathname.replace(/\/$/, "")}${address.search}`;
}
