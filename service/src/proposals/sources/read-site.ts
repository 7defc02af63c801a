/** Reads a few pages of a site: through the egress guard alone, as far as its robots.txt allows, within pages, bytes and time. */
import type { PromptSourceFacts } from "@querent/contract";
import { sitePagesMax } from "@querent/contract";
import { getDomain } from "tldts";
import { request, type Dispatcher } from "undici";
import { EgressFault, guardedAgent, type EgressGuard } from "../../egress/index.ts";
import { yieldToEventLoop } from "../../runtime/slices.ts";
import { PageReader, type PagePlace } from "./read-page.ts";
import { readRobots, type Robots } from "./robots.ts";

/** The name in robots.txt. */
export const robotsName = "querent";

export interface SiteLimits {
  readonly pagesMax: number;
  readonly pageBytesMax: number;
  readonly siteBytesMax: number;
  readonly requestMs: number;
  readonly siteMs: number;
}

export const siteLimits: SiteLimits = {
  pagesMax: sitePagesMax,
  pageBytesMax: 1024 * 1024,
  siteBytesMax: 10 * 1024 * 1024,
  requestMs: 10_000,
  siteMs: 45_000,
};

const redirectsMax = 5;
/** As much of robots.txt as RFC 9309 asks for. */
const robotsBytesMax = 500 * 1024;
const sitemapBytesMax = 2 * 1024 * 1024;
const sitemapsMax = 4;
const sitemapAddressesMax = 2_000;

type PageFact = NonNullable<PromptSourceFacts["pages"]>[number];

export interface SiteText {
  readonly address: string;
  readonly place: PagePlace;
  readonly text: string;
}

export interface ReadSite {
  readonly host: string;
  readonly pages: readonly PageFact[];
  readonly texts: readonly SiteText[];
}

export async function readSite(
  guard: EgressGuard,
  start: URL,
  {
    signal,
    version,
    limits = siteLimits,
  }: { readonly signal: AbortSignal; readonly version: string; readonly limits?: SiteLimits },
): Promise<ReadSite> {
  const over = AbortSignal.timeout(limits.siteMs);
  const visit = new Visit(guard, AbortSignal.any([signal, over]), version, limits);
  try {
    return await visit.read(start);
  } finally {
    await visit.close();
    // Whoever has gone gets no report of it.
    signal.throwIfAborted();
  }
}

/** What a request led to: where, and a body that may be read; or why not. */
type Opened =
  | { readonly at: URL; readonly status: number; readonly reply: Dispatcher.ResponseData; readonly signal: AbortSignal }
  | { readonly outcome: PageFact["outcome"]; readonly status?: number };

class Visit {
  readonly #guard: EgressGuard;
  readonly #signal: AbortSignal;
  readonly #limits: SiteLimits;
  readonly #agent;
  readonly #headers;
  readonly #robots = new Map<string, Promise<Robots | null>>();
  #bytes = 0;

  constructor(guard: EgressGuard, signal: AbortSignal, version: string, limits: SiteLimits) {
    this.#guard = guard;
    this.#signal = signal;
    this.#limits = limits;
    this.#agent = guardedAgent(guard, signal);
    this.#headers = {
      "user-agent": `Querent/${version} (reads pages that a user names; robots.txt: ${robotsName})`,
      accept: "text/html,application/xhtml+xml",
      // A compressed page could be a thousand times as long as what is counted.
      "accept-encoding": "identity",
    };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async read(start: URL): Promise<ReadSite> {
    const pages: PageFact[] = [];
    const texts: SiteText[] = [];
    const first = await this.#page(start, start);
    pages.push(factOf(start, first));
    if (!("page" in first)) return { host: start.host, pages, texts };
    const home = first.at;
    const seen = new Set([keyOf(start), keyOf(home)]);
    const take = ({ at, page }: Extract<PageRead, { page: unknown }>) => {
      for (const { place, text } of page.texts) texts.push({ address: at.href, place, text });
    };
    take(first);
    const candidates = [...this.#linksOf(first), ...(await this.#sitemap(home))];
    const wanted = candidates
      .filter((url) => !seen.has(keyOf(url)) && (seen.add(keyOf(url)), true))
      .map((url, index) => ({ url, index }))
      // What is about questions first; otherwise as the site orders it.
      .toSorted((one, other) => promise(other.url) - promise(one.url) || one.index - other.index);
    for (const { url } of wanted) {
      if (pages.length >= this.#limits.pagesMax) break;
      if (this.#signal.aborted || this.#bytes >= this.#limits.siteBytesMax) {
        pages.push({ address: url.href, outcome: "too_late" });
        break;
      }
      const read = await this.#page(url, home);
      pages.push(factOf(url, read));
      if ("page" in read) take(read);
    }
    return { host: home.host, pages, texts };
  }

  async #page(address: URL, home: URL): Promise<PageRead> {
    const opened = await this.#open(address, home);
    if (!("reply" in opened)) return opened;
    const { at, status, reply, signal } = opened;
    const leave = (outcome: PageFact["outcome"]): PageRead => {
      reply.body.destroy();
      return { outcome, status };
    };
    if (status !== 200) return leave("failed");
    const type = headerOf(reply, "content-type");
    if (!/^\s*(?:text\/html|application\/xhtml\+xml)\b/iu.test(type)) return leave("not_html");
    if (!/^(?:identity)?$/iu.test(headerOf(reply, "content-encoding").trim())) return leave("not_html");
    const reader = new PageReader();
    const decoder = decoderOf(/charset\s*=\s*["']?([\w-]{1,40})/iu.exec(type)?.[1]);
    let bytes = 0;
    try {
      for await (const chunk of reply.body as AsyncIterable<Buffer>) {
        signal.throwIfAborted();
        const room = Math.min(this.#limits.pageBytesMax - bytes, this.#limits.siteBytesMax - this.#bytes);
        const part = chunk.subarray(0, Math.max(0, room));
        bytes += part.length;
        this.#bytes += part.length;
        for (let from = 0; from < part.length; from += parsedAtOnce) {
          reader.push(decoder.decode(part.subarray(from, from + parsedAtOnce), { stream: true }));
          await yieldToEventLoop();
        }
        if (part.length < chunk.length || reader.isTooDeep) {
          reply.body.destroy();
          return { outcome: "cut", status, at, page: reader.end() };
        }
      }
    } catch {
      // What has arrived of a page that never ends is a page, too.
      reply.body.destroy();
      return bytes === 0
        ? { outcome: this.#signal.aborted ? "too_late" : "failed", status }
        : { outcome: "cut", status, at, page: reader.end() };
    }
    return { outcome: "read", status, at, page: reader.end() };
  }

  /** Follows redirects within the site. Each hop is checked as if it had been asked for. */
  async #open(address: URL, home: URL): Promise<Opened> {
    let at = address;
    for (let hop = 0; hop <= redirectsMax; hop++) {
      if (!isSameSite(at, home)) return { outcome: "elsewhere" };
      const check = this.#guard.checkAddress(at.href);
      if (!check.ok) return { outcome: "not_allowed" };
      const robots = await this.#robotsOf(at);
      if (robots === null) return { outcome: this.#signal.aborted ? "too_late" : "robots_unavailable" };
      if (!robots.allows(at.pathname + at.search)) return { outcome: "disallowed" };
      const opened = await this.#request(at);
      if (!("reply" in opened)) return opened;
      const next = redirectOf(opened);
      if (next === null) return opened;
      opened.reply.body.destroy();
      at = next;
    }
    return { outcome: "failed" };
  }

  async #request(at: URL): Promise<Opened> {
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(this.#limits.requestMs)]);
    try {
      const reply = await request(at, { dispatcher: this.#agent, headers: this.#headers, signal });
      reply.body.on("error", () => undefined);
      return { at, status: reply.statusCode, reply, signal };
    } catch (error) {
      if (this.#signal.aborted) return { outcome: "too_late" };
      const cause = error instanceof EgressFault ? error : (error as Error).cause;
      return { outcome: cause instanceof EgressFault && cause.fault === "address" ? "not_allowed" : "failed" };
    }
  }

  /** The rules of a host, once. Null: they can't be read, so nothing of the host is. */
  #robotsOf(at: URL): Promise<Robots | null> {
    const known = this.#robots.get(at.origin);
    if (known !== undefined) return known;
    const reading = this.#readRobots(at);
    this.#robots.set(at.origin, reading);
    return reading;
  }

  async #readRobots(at: URL): Promise<Robots | null> {
    let from = new URL("/robots.txt", at.origin);
    for (let hop = 0; hop <= redirectsMax; hop++) {
      if (!isSameSite(from, at) || !this.#guard.checkAddress(from.href).ok) return null;
      const opened = await this.#request(from);
      if (!("reply" in opened)) return null;
      const next = redirectOf(opened);
      if (next === null) {
        const text = await this.#text(opened, robotsBytesMax);
        if (opened.status >= 400 && opened.status < 500) return readRobots("", robotsName);
        return opened.status === 200 && text !== null ? readRobots(text, robotsName) : null;
      }
      opened.reply.body.destroy();
      from = next;
    }
    return null;
  }

  /** The text of a short reply, up to a bound. Null: it could not be read. */
  async #text({ reply, signal }: Extract<Opened, { reply: unknown }>, bytesMax: number): Promise<string | null> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      if (!/^(?:identity)?$/iu.test(headerOf(reply, "content-encoding").trim())) return null;
      for await (const chunk of reply.body as AsyncIterable<Buffer>) {
        signal.throwIfAborted();
        chunks.push(chunk.subarray(0, bytesMax - bytes));
        bytes += chunk.length;
        if (bytes >= bytesMax) break;
      }
      this.#bytes += Math.min(bytes, bytesMax);
      return Buffer.concat(chunks).toString("utf8");
    } catch {
      return null;
    } finally {
      reply.body.destroy();
    }
  }

  #linksOf({ at, page }: Extract<PageRead, { page: unknown }>): URL[] {
    const base = (page.base === null ? null : URL.parse(page.base, at.href)) ?? at;
    return page.links.flatMap((link) => this.#wanted(link, base, at));
  }

  /** The addresses of the site's sitemaps: those that robots.txt names, or `/sitemap.xml`, and those that they name. */
  async #sitemap(home: URL): Promise<URL[]> {
    const robots = await this.#robotsOf(home);
    const named = (robots?.sitemaps ?? []).flatMap((text) => this.#wanted(text, home, home));
    const queue = named.length > 0 ? named : [new URL("/sitemap.xml", home)];
    const found: URL[] = [];
    for (let at = 0; at < Math.min(queue.length, sitemapsMax); at++) {
      const from = queue[at];
      if (from === undefined || this.#signal.aborted) break;
      const opened = await this.#open(from, home);
      if (!("reply" in opened)) continue;
      const text = opened.status === 200 ? await this.#text(opened, sitemapBytesMax) : null;
      if (text === null) {
        opened.reply.body.destroy();
        continue;
      }
      const isIndex = text.includes("<sitemapindex");
      for (const location of locationsIn(text)) {
        const urls = this.#wanted(location, home, home);
        if (isIndex) queue.push(...urls);
        else found.push(...urls);
        if (found.length >= sitemapAddressesMax || queue.length > 50) break;
      }
      await yieldToEventLoop();
    }
    return found;
  }

  /** An address of the same host, without its fragment; nothing if it is no page. */
  #wanted(link: string, base: URL, home: URL): URL[] {
    const url = URL.parse(link.trim().slice(0, 2_048), base.href);
    if (url === null || url.protocol !== "https:" || url.host !== home.host || noPage.test(url.pathname)) return [];
    url.hash = "";
    return [url];
  }
}

type PageRead =
  | {
      readonly outcome: "read" | "cut";
      readonly status: number;
      readonly at: URL;
      readonly page: ReturnType<PageReader["end"]>;
    }
  | { readonly outcome: PageFact["outcome"]; readonly status?: number };

const parsedAtOnce = 32 * 1024;
const noPage =
  /\.(?:pdf|jpe?g|png|gif|webp|svg|avif|ico|mp[34]|webm|zip|gz|tgz|rar|exe|dmg|apk|css|js|json|rss|atom|docx?|xlsx?|pptx?|ics)$/iu;

const factOf = (address: URL, read: PageRead): PageFact => ({
  address: address.href,
  outcome: read.outcome,
  ...(read.status === undefined ? {} : { status: read.status }),
});

const keyOf = (url: URL): string => `${url.host}${url.pathname.replace(/\/$/u, "")}${url.search}`;

/** Pages that are likely to have questions come first. */
const promise = ({ pathname }: URL): number =>
  /faq|help|hilfe|support|question|frage|pregunta|ayuda|aide|guide|ratgeber|blog|how|compare|vergleich|vs/iu.test(
    pathname,
  )
    ? 1
    : 0;

/** The same port, and the same host or registrable domain: `example.com` may redirect to `www.example.com`. */
function isSameSite(one: URL, home: URL): boolean {
  if (one.port !== home.port) return false;
  if (one.hostname === home.hostname) return true;
  const domain = getDomain(one.hostname, { allowPrivateDomains: true });
  return domain !== null && domain === getDomain(home.hostname, { allowPrivateDomains: true });
}

function redirectOf({ at, status, reply }: Extract<Opened, { reply: unknown }>): URL | null {
  if (![301, 302, 303, 307, 308].includes(status)) return null;
  const url = URL.parse(headerOf(reply, "location").slice(0, 2_048), at.href);
  if (url !== null) url.hash = "";
  return url;
}

const headerOf = ({ headers }: Dispatcher.ResponseData, name: string): string =>
  [headers[name] ?? ""].flat().join(", ");

function decoderOf(label: string | undefined): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label ?? "utf-8");
  } catch {
    return new TextDecoder("utf-8");
  }
}

/** What stands in `<loc>`: by hand, because it is all that is read of a sitemap. */
function* locationsIn(text: string): Generator<string, void, void> {
  for (let at = text.indexOf("<loc>"); at !== -1; at = text.indexOf("<loc>", at)) {
    const end = text.indexOf("</loc>", at);
    if (end === -1) return;
    yield text.slice(at + 5, Math.min(end, at + 2_100)).replaceAll("&amp;", "&");
    at = end;
  }
}
