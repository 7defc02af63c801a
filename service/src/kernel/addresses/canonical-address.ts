import { parse } from "tldts";
import { completeAddress, isPublicHost } from "../web-address.ts";
import { byHost, opaqueRedirect, unwrapAddress } from "./unwrap-address.ts";
import rules from "./address-rules.json" with { type: "json" };
import tracking from "./tracking-parameters.json" with { type: "json" };

/** A page, by the address that all of its addresses have in common. */
export interface CanonicalAddress {
  readonly address: string;
  /** The host of the site, in lower case, without `www.`; empty if the address is opaque and nothing tells its site. */
  readonly host: string;
  /** The registrable domain, such as `example.co.uk`; the host if it has none, such as an IP address. */
  readonly domain: string;
  /** True for a redirect that does not contain its target: which page it leads to is not known. */
  readonly isOpaque: boolean;
}

/** Belongs to every count of sources. */
export const canonicalAddressVersion = "2";

/** Longer addresses are not compared. The service stores none. */
const addressCharsMax = 8_192;

/**
 * The canonical form of an address, for comparing and counting pages: wrappers of search engines, mail programs and archives are removed,
 * as far as the address contains its target; then mobile and AMP editions, tracking parameters, the fragment, `www.`, the default port,
 * user name and password, the slash and `index.html` at the end; http is https, and so is an address without a scheme; parameters are in
 * order. Null if it is no web address. The network is not used.
 *
 * @param named the site that the platform names beside the address, which tells the site of an opaque address
 */
export function canonicalAddress(address: string, named: string = ""): CanonicalAddress | null {
  let url = webAddress(address);
  // What is removed may uncover a wrapper.
  for (let step = 0; url !== null && step < stepsMax; step++) {
    const target = unwrapAddress(url);
    const inner = target === null ? null : webAddress(target);
    if (inner !== null) {
      url = inner;
      continue;
    }
    const canonical = canonicalUrl(url);
    if (canonical.href === url.href) return describe(canonical, named);
    url = canonical;
  }
  return null;
}

/** Nobody wraps a page so often. */
const stepsMax = 40;

/** The site of which this is the host name, in the form of `CanonicalAddress`; null if it is not one of the public internet. */
export function siteNamed(text: string): Pick<CanonicalAddress, "host" | "domain"> | null {
  const name = text.trim();
  if (name.length > hostCharsMax || !hostName.test(name)) return null;
  const url = URL.parse(`https://${name}/`);
  if (url === null) return null;
  const host = siteHostOf(url.hostname);
  return isPublicHost(host) && redirectorOf(host) === undefined ? { host, domain: domainOf(host) } : null;
}

/**
 * What the platform names as the site of a source: its site or, beside a redirect of Gemini's, its title, in which Gemini names it. Other
 * services pass on such a source without saying which of its members is the site.
 */
export function namedSite({ url, title, site }: NamedSource): string {
  const told = site ?? "";
  if (!groundingRedirect.test(url)) return told;
  const { host } = siteNamed(told) ?? {};
  return host === undefined || host === groundingHost ? (title ?? "") : told;
}

export interface NamedSource {
  readonly url: string;
  readonly title?: string | null;
  readonly site?: string | null;
}

const groundingHost = "vertexaisearch.cloud.google.com";
const groundingRedirect = /^https:\/\/vertexaisearch\.cloud\.google\.com\/grounding-api-redirect\//u;

const hostCharsMax = 253;
/** Labels of letters and digits of any script, with at least one dot. */
const hostName =
  /^[\p{L}\p{M}\p{N}_](?:[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}_])?(?:\.[\p{L}\p{M}\p{N}_](?:[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}_])?)+\.?$/u;

function webAddress(address: string): URL | null {
  if (address.length > addressCharsMax) return null;
  const url = URL.parse(completeAddress(address.trim()));
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.hostname !== "" ? url : null;
}

/** @param url in its canonical form */
function describe(url: URL, named: string): CanonicalAddress {
  const host = siteHostOf(url.hostname);
  const address = url.pathname === "/" ? url.href.replace(/^(https:\/\/[^/?#]*)\//u, "$1") : url.href;
  const known = redirectorOf(host);
  const isOpaque = opaqueRedirect(url) || (known !== undefined && url.pathname.length > 1) || hasLink(url, known);
  if (!isOpaque) return { address, host, domain: domainOf(host), isOpaque };
  // A platform that repeats the host of the redirect does not tell where it leads.
  const told = siteNamed(named);
  const site = told === null || told.host === host ? siteNamed(known ?? "") : told;
  return { address, host: site?.host ?? "", domain: site?.domain ?? "", isOpaque };
}

/** `https://search.app?link=…` is a redirect, too; the home page of a shortener is not. */
const hasLink = (url: URL, known: string | undefined) => known !== undefined && url.search !== "";

const redirects = new Map(Object.entries(rules.redirects));

/** The site that the redirects of a host lead to, empty if they lead anywhere; undefined: it is no host of redirects. */
function redirectorOf(host: string): string | undefined {
  const exact = redirects.get(host);
  if (exact !== undefined) return exact;
  // Each customer of these has a name of its own below them.
  return redirectsOfCustomers.some((of) => host.endsWith(of)) ? "" : undefined;
}

const redirectsOfCustomers = [
  ".page.link",
  ".app.goo.gl",
  ".onelink.me",
  ".app.link",
  ".hubspotlinks.com",
  ".mimecastprotect.com",
];

function canonicalUrl(given: URL): URL {
  const url = moved(given, siteHostOf(given.hostname));
  const host = siteHostOf(url.hostname);
  const port = url.port === "" || (url.port === "80" && url.protocol === "https:") ? "" : `:${url.port}`;
  const route = /^#!?\/./u.test(url.hash) ? normalizeEncoding(url.hash.replace(/:~:.*$/su, ""), inHash) : "";
  return new URL(
    `https://${host}${port}${canonicalPath(url.pathname, host)}${canonicalQuery(url, host)}${route.length > 2 ? route : ""}`,
  );
}

/** Sites that serve the same pages under several paths. */
function moved(given: URL, host: string): URL {
  const url = new URL(given);
  const video = videoOf(url, host);
  if (video !== null) {
    url.hostname = "youtube.com";
    url.pathname = "/watch";
    url.search = `?v=${encodeURIComponent(video)}`;
  }
  const product = /^amazon\.[a-z.]{2,6}$/u.test(host)
    ? /\/(?:dp|gp\/product|gp\/aw\/d)\/([A-Z0-9]{10})(?:\/|$)/u.exec(url.pathname)
    : null;
  if (product !== null) {
    url.pathname = `/dp/${product[1] ?? ""}`;
    url.search = "";
  }
  return url;
}

/** The id of a video, wherever it starts and whatever plays it; null if it is no page of a video. */
function videoOf({ pathname, searchParams }: URL, host: string): string | null {
  if (host === "youtu.be") return /^\/([\w-]+)\/?$/u.exec(pathname)?.[1] ?? null;
  if (host !== "youtube.com") return null;
  if (/^\/watch\/?$/u.test(pathname)) return searchParams.get("v") || null;
  const id = /^\/(?:embed|shorts|live|v|e|watch)\/([\w-]{6,})\/?$/u.exec(pathname)?.[1] ?? null;
  // The embedded player of a playlist or a channel is no video.
  return id === "videoseries" || id === "live_stream" ? null : id;
}

const editions = new Map(Object.entries(rules.editions));
const notEditions = new Set(rules.notEditions);

/** The host of the site that a host belongs to: without the dot of the root, without `www.`, and of the edition for every device. */
const siteHostOf = byHost((hostname) => {
  let host = withoutEnd(hostname, ".");
  if (host === "" || host.length > hostCharsMax) return hostname;
  for (;;) {
    const shorter = siteHostStep(host);
    if (shorter === host) return host;
    host = shorter;
  }
});

function siteHostStep(host: string): string {
  const edition = editions.get(host);
  if (edition !== undefined) return edition;
  const [, label, rest] = /^(www\d?|m|mobile|wap|touch|3g|amp)\.(.+\..+)$/u.exec(host) ?? [];
  if (label !== undefined && rest !== undefined) {
    if (label.startsWith("www")) return rest;
    // `m.blogspot.com` is the blog of a user.
    if (!notEditions.has(host) && !redirects.has(host) && domainOf(host) !== host && parse(rest).domain !== null)
      return rest;
  }
  return host.replace(/^([a-z-]{2,12})\.m\.((?:wik[a-z]+|mediawiki)\.org)$/u, "$1.$2");
}

const users = new Set(rules.users);

/** Each user of a host of pages, such as `github.io`, has a domain of its own. */
const domainOf = byHost((host) => {
  if (host.length > hostCharsMax) return host;
  const domain = parse(host, { allowPrivateDomains: true }).domain ?? host;
  const labels = host.split(".");
  // The name of the user is directly before the host of pages.
  const user = labels.findIndex((_, index) => index > 0 && isOfUsers(labels.slice(index).join("."))) - 1;
  const ofUser = user < 0 ? "" : labels.slice(user).join(".");
  return ofUser.length > domain.length ? ofUser : domain;
});

const isOfUsers = (host: string): boolean => users.has(host) || /^blogspot\.[a-z.]{2,6}$/u.test(host);

function canonicalPath(pathname: string, host: string): string {
  let path = normalizeEncoding(pathname, inPath).replace(/;jsessionid=[^/;]*/giu, "");
  const inside = ampInPath.get(host);
  for (let step = 0; step < pathStepsMax; step++) {
    const shorter = withoutEnd(path, "/")
      .replace(/\/(?:index|default)\.html?$/iu, "")
      .replace(/\.amp(?=(?:\.html?)?$)/iu, "")
      .replace(/(?<=.)\/amp(?:html)?$/iu, "")
      .replace(/(?<=.)\/amp\/1$/iu, "")
      .replace(/^\/amp(?:html)?(?=\/[^/])/iu, "")
      .replace(/\/amp_(?=articleshow\/)/iu, "/");
    const edition = inside === undefined ? shorter : shorter.replace(inside, "");
    if (edition === path) break;
    path = edition;
  }
  return path;
}

/** The rest is left to the next step of `canonicalAddress`. */
const pathStepsMax = 8;

/** Sites whose AMP pages have the word in the middle of the path. */
const ampInPath = new Map([
  ["bbc.com", /(?<=^\/(?:[a-z]+\/){1,3})amp\/(?=[^/])/u],
  ["bbc.co.uk", /(?<=^\/(?:[a-z]+\/){1,3})amp\/(?=[^/])/u],
]);

function canonicalQuery(url: URL, host: string): string {
  const domain = registeredOf(host);
  const parts = url.search
    .slice(1)
    .replace(/&(?:amp;)+/giu, "&")
    .split("&")
    .filter((part) => part !== "" && part !== "=")
    .map((part) => normalizeEncoding(part.replaceAll("+", "%20"), inQuery))
    .map((part) => ({ part, name: part.split("=", 1)[0] ?? "" }))
    .filter(({ part, name }) => !isTrackingParameter(decoded(name).toLowerCase(), domain, part));
  const sorted = parts.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return sorted.length === 0 ? "" : `?${sorted.map(({ part }) => part).join("&")}`;
}

const registeredOf = byHost((host) => parse(host).domain ?? host);

function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Removes the character from the end in linear time, which `/\/+$/` does not take. */
function withoutEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/** Characters that mean the same whether they are encoded or not: the unreserved ones, and those of `more`. */
const plainIn = (more: string) => new Set(`ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~${more}`);
/** No server tells `Mercury_(planet)` from `Mercury_%28planet%29`. */
const inPath = plainIn("!()*,:@$");
const inQuery = plainIn("!()*,:@$/?");
const inHash = plainIn("!()*,:@$/?&=;+");

/**
 * Percent-encoding as in RFC 3986, section 6.2.2: no unreserved character is encoded, digits are upper case, and what may not stand in an
 * address is encoded.
 */
function normalizeEncoding(text: string, plain: ReadonlySet<string>): string {
  return text.replace(/%(?:([0-9a-f]{2}))?|["<>[\\\]^`{|}']/giu, (found, digits: string | undefined) => {
    if (found !== "%" && digits === undefined) return `%${found.charCodeAt(0).toString(16).toUpperCase()}`;
    if (digits === undefined) return "%25";
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return plain.has(character) ? character : `%${digits.toUpperCase()}`;
  });
}

const everywhere = new Set(tracking.everywhere);
const atDomains = new Map(Object.entries(tracking.atDomains).map(([domain, names]) => [domain, new Set(names)]));
const national = /^(amazon|google|ebay|booking)\.[a-z.]{2,6}$/u;

const outputs = new Set(["outputtype", "output", "format", "view", "type", "mode", "version"]);

/** True if a parameter, in lower case, only records how a reader reached the page. */
function isTrackingParameter(name: string, domain: string, part: string): boolean {
  // `?amp`, `?amp=1` and `?outputType=amp` choose another form of the page; parameters of these names with other values do not.
  if (name === "amp" || name === "amphtml") return /^[^=]*(?:=(?:1|true|yes)?)?$/iu.test(part);
  // Blogspot's edition for telephones.
  if (name === "m" && domain.startsWith("blogspot.")) return /^m=[01]$/u.test(part);
  if (outputs.has(name)) return /=amp(?:html)?$/iu.test(part);
  if (everywhere.has(name) || tracking.prefixes.some((prefix) => name.startsWith(prefix))) return true;
  const [, shop] = national.exec(domain) ?? [];
  return atDomains.get(shop === undefined ? domain : `${shop}.com`)?.has(name) ?? false;
}
