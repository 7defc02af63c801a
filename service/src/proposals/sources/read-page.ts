/** What of a page may be a prompt: its title, its headings, and the questions that it answers. Foreign HTML is parsed as it arrives, and never run. */
import { Parser } from "htmlparser2";

export type PagePlace = "title" | "heading" | "question" | "faq" | "details";

export interface ReadPage {
  readonly texts: readonly { readonly place: PagePlace; readonly text: string }[];
  /** As they are written, for whoever knows the page's address. */
  readonly links: readonly string[];
  readonly base: string | null;
}

const depthMax = 512;
const textsMax = 300;
const linksMax = 2_000;
const textChars = 600;
const scriptChars = 256 * 1024;
/** Elements whose text nobody reads. */
const unread = new Set(["script", "style", "template", "noscript", "svg", "iframe", "object", "textarea", "select"]);
const collected = new Map<string, PagePlace>([
  ["title", "title"],
  ["h1", "heading"],
  ["h2", "heading"],
  ["h3", "heading"],
  ["h4", "heading"],
  ["summary", "details"],
]);

/** Reads one page in chunks. Its memory is bounded whatever it is sent. */
export class PageReader {
  readonly #texts: { place: PagePlace; text: string }[] = [];
  readonly #links: string[] = [];
  readonly #parser: Parser;
  #base: string | null = null;
  #depth = 0;
  #unread = 0;
  /** The element whose text is collected, and its depth. */
  #open: { readonly name: string; readonly place: PagePlace; text: string } | null = null;
  #script: string | null = null;
  #isFollowed = true;
  /** True once the page is nested so deeply that reading on would cost too much. */
  isTooDeep = false;

  constructor() {
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#opens(name, attributes),
        onclosetag: (name) => this.#closes(name),
        ontext: (text) => this.#reads(text),
      },
      { decodeEntities: true, lowerCaseTags: true },
    );
  }

  push(chunk: string): void {
    if (!this.isTooDeep) this.#parser.write(chunk);
  }

  end(): ReadPage {
    if (!this.isTooDeep) this.#parser.end();
    return { texts: this.#texts, links: this.#isFollowed ? this.#links : [], base: this.#base };
  }

  #opens(name: string, attributes: Readonly<Record<string, string>>): void {
    if (++this.#depth > depthMax) {
      this.isTooDeep = true;
      this.#parser.pause();
      return;
    }
    if (name === "script" && /^application\/ld\+json\b/iu.test(attributes["type"] ?? "")) this.#script = "";
    if (unread.has(name)) this.#unread++;
    if (this.#unread > 0) return;
    const place = collected.get(name);
    // A heading within a summary is a part of it.
    if (place !== undefined && this.#open === null) this.#open = { name, place, text: "" };
    if (name === "br" && this.#open !== null) this.#open.text += " ";
    if (name === "base") this.#base ??= attributes["href"] ?? null;
    if (
      name === "meta" &&
      /^robots$/iu.test(attributes["name"] ?? "") &&
      /nofollow|none/iu.test(attributes["content"] ?? "")
    )
      this.#isFollowed = false;
    const href = name === "a" ? attributes["href"] : undefined;
    if (href !== undefined && href.length <= 2_048 && this.#links.length < linksMax && !/\bnofollow\b/iu.test(attributes["rel"] ?? "")) this.#links.push(href); // prettier-ignore
  }

  #reads(text: string): void {
    if (this.#script !== null) {
      if (this.#script.length + text.length <= scriptChars) this.#script += text;
      else this.#script = " ".repeat(scriptChars);
    } else if (this.#unread === 0 && this.#open !== null && this.#open.text.length < textChars) {
      this.#open.text += text.slice(0, textChars);
    }
  }

  #closes(name: string): void {
    this.#depth--;
    if (name === "script" && this.#script !== null) {
      for (const text of faqIn(this.#script)) this.#add("faq", text);
      this.#script = null;
    }
    if (unread.has(name)) this.#unread = Math.max(0, this.#unread - 1);
    if (this.#open === null || this.#open.name !== name) return;
    this.#add(this.#open.place, this.#open.text);
    this.#open = null;
  }

  #add(place: PagePlace, text: string): void {
    if (text.trim() !== "" && this.#texts.length < textsMax) this.#texts.push({ place, text });
  }
}

const nodesMax = 5_000;

/** The names of schema.org's questions, wherever they stand: `FAQPage`, `QAPage`, in a graph or alone. */
function faqIn(script: string): string[] {
  const found: string[] = [];
  let nodes: unknown[];
  try {
    nodes = [JSON.parse(script)];
  } catch {
    return [];
  }
  // With a list instead of a recursion: JSON may be nested as deeply as it is long.
  for (let at = 0; at < nodes.length && at < nodesMax; at++) {
    const node = nodes[at];
    if (typeof node !== "object" || node === null) continue;
    if (!Array.isArray(node) && isQuestionNode(node)) {
      const { name } = node as { name?: unknown };
      if (typeof name === "string") found.push(name.replaceAll(/<[^<>]*>/gu, " ").slice(0, textChars));
    }
    for (const value of Object.values(node)) {
      if (nodes.length >= nodesMax) break;
      if (typeof value === "object" && value !== null) nodes.push(value);
    }
  }
  return found;
}

const isQuestionNode = (node: object): boolean =>
  "@type" in node && [node["@type"]].flat().some((type) => typeof type === "string" && /(?:^|\/)Question$/u.test(type));
