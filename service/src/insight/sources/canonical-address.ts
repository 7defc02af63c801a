import { parse } from "tldts";
import { isTrackingParameter } from "./tracking-parameters.ts";
import { isOpaqueRedirect, unwrapAddress } from "./unwrap-address.ts";

/** A source, and the address that all of its addresses have in common. */
export interface CanonicalAddress {
  readonly address: string;
  /** In lower case, without `www.`. */
  readonly host: string;
  /** The registrable domain, such as `example.co.uk`; the host if it has none, such as an IP address. */
  readonly domain: string;
  /** True for a redirect that does not contain its target: which source it leads to is not known. */
  readonly isOpaque: boolean;
}

/** Belongs to every count of sources. */
export const canonicalAddressVersion = "1";

/** Longer addresses are not compared. The service stores none. */
const addressCharsMax = 8_192;

/**
 * The canonical form of a source's address, for counting: wrappers of search engines, mail programs and archives are removed, as far
 * as the address contains its target; then tracking parameters, the fragment, `www.`, the default port, user name and password, the
 * slash and `index.html` at the end; http is https; parameters are in order. Null if it is no web address. The network is not used.
 */
export function canonicalAddress(address: string): CanonicalAddress | null {
  const given = webAddress(address);
  if (given === null) return null;
  let canonical = canonicalUrl(unwrapped(given));
  // What is removed may uncover a wrapper.
  for (let pass = 0; pass < passesMax; pass++) {
    const next = canonicalUrl(unwrapped(new URL(canonical.address)));
    const isSame = next.address === canonical.address;
    canonical = next;
    if (isSame) break;
  }
  return canonical;
}

const passesMax = 10;

function unwrapped(url: URL): URL {
  const target = unwrapAddress(url);
  const inner = target === null ? null : webAddress(target);
  // Each target is shorter than its wrapper, so this ends.
  return inner === null || inner.href.length >= url.href.length ? url : unwrapped(inner);
}

function webAddress(address: string): URL | null {
  if (address.length > addressCharsMax) return null;
  const url = URL.parse(address.trim());
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.hostname !== "" ? url : null;
}

function canonicalUrl(given: URL): CanonicalAddress {
  const url = moved(given);
  const host = hostOf(url);
  const domain = parse(host).domain ?? host;
  const port = url.port === "" || (url.port === "80" && url.protocol === "https:") ? "" : `:${url.port}`;
  const query = canonicalQuery(url, domain);
  const route = /^#!?\/./u.test(url.hash) ? normalizeEncoding(url.hash) : "";
  const address = `https://${host}${port}${canonicalPath(url.pathname)}${query}${route}`;
  return { address, host, domain, isOpaque: isOpaqueRedirect(url) };
}

/** Sites that serve the same pages under several hosts or paths. */
function moved(given: URL): URL {
  const url = new URL(given);
  const host = hostOf(url);
  if (host === "youtu.be" && /^\/[\w-]+$/u.test(url.pathname)) {
    url.searchParams.set("v", url.pathname.slice(1));
    url.hostname = "youtube.com";
    url.pathname = "/watch";
  }
  const other = otherHosts.get(host) ?? host.replace(/^([a-z-]{2,12})\.m\.(wiki[a-z]+\.org)$/u, "$1.$2");
  if (other !== host) url.hostname = other;
  const product = /^amazon\.[a-z.]{2,6}$/u.test(host)
    ? /\/(?:dp|gp\/product)\/([A-Z0-9]{10})(?:\/|$)/u.exec(url.pathname)
    : null;
  if (product !== null) {
    url.pathname = `/dp/${product[1] ?? ""}`;
    url.search = "";
  }
  return url;
}

const otherHosts = new Map([
  ["m.youtube.com", "youtube.com"],
  ["music.youtube.com", "youtube.com"],
  ["youtube-nocookie.com", "youtube.com"],
  ["twitter.com", "x.com"],
  ["mobile.twitter.com", "x.com"],
  ["mobile.x.com", "x.com"],
  ["m.facebook.com", "facebook.com"],
  ["mbasic.facebook.com", "facebook.com"],
  ["old.reddit.com", "reddit.com"],
  ["new.reddit.com", "reddit.com"],
  ["np.reddit.com", "reddit.com"],
  ["m.weibo.cn", "weibo.com"],
  ["m.bilibili.com", "bilibili.com"],
  ["m.imdb.com", "imdb.com"],
  ["m.ebay.com", "ebay.com"],
  ["m.jd.com", "jd.com"],
  ["amp.cnn.com", "cnn.com"],
  ["amp.theguardian.com", "theguardian.com"],
  ["amp.dev.to", "dev.to"],
]);

/** Without the dot of the root, and without any number of `www.`. */
function hostOf(url: URL): string {
  const host = url.hostname.replace(/\.+$/u, "");
  const shorter = host.replace(/^(?:www\d?\.)+(?=[^.]+\.)/u, "");
  return shorter === "" ? host : shorter;
}

function canonicalPath(pathname: string): string {
  let path = normalizeEncoding(pathname).replace(/;jsessionid=[^/;]*/giu, "");
  for (;;) {
    const shorter = path
      .replace(/\/+$/u, "")
      .replace(/\/(?:index|default)\.html?$/iu, "")
      .replace(/\.amp(?=\.html?$)/iu, "")
      .replace(/(?<=.)\/amp$/iu, "");
    if (shorter === path) return path;
    path = shorter;
  }
}

function canonicalQuery(url: URL, domain: string): string {
  const parts = url.search
    .slice(1)
    .replace(/&(?:amp;)+/giu, "&")
    .split("&")
    .filter((part) => part !== "" && part !== "=")
    .map((part) => normalizeEncoding(part.replaceAll("+", "%20")))
    .map((part) => ({ part, name: part.split("=", 1)[0] ?? "" }))
    .filter(({ part, name }) => !isTrackingParameter(decoded(name).toLowerCase(), domain, part));
  const sorted = parts.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return sorted.length === 0 ? "" : `?${sorted.map(({ part }) => part).join("&")}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Percent-encoding as in RFC 3986, section 6.2.2: no unreserved character is encoded, and digits are upper case. */
function normalizeEncoding(text: string): string {
  return text.replace(/%(?:([0-9a-f]{2}))?/giu, (_, digits: string | undefined) => {
    if (digits === undefined) return "%25";
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return /[A-Za-z0-9._~-]/u.test(character) ? character : `%${digits.toUpperCase()}`;
  });
}
