import type { CheerioAPI } from "cheerio/slim";
import { cite } from "../../api/read/cite.ts";
import { readField } from "../recipe/read-field.ts";
import { selectors, type Recipe } from "../recipe/recipe.ts";

/**
 * The captured response of an answer as XML, so that the rules of a recipe read it with the same selectors as HTML: a member is an element
 * of its name, a list repeats it, and a value is its text. Short values are attributes, too, and an item of a list has its index in `at`.
 *
 * Read are JSON, lines of JSON, JSON documents one after the other with lengths or anything else between them, event streams, and rows with
 * an identifier, as of React and the AI SDK. JSON within a string is read like any other. Patches to a document are applied: then the
 * document stands in their place.
 */
const nodesMax = 200_000;
const depthMax = 100;
const attributeCharsMax = 64;

export function responseXml(body: string): string {
  const out: string[] = [];
  let nodes = 0;
  const open = (name: string, members: object | null, at: number | null, more: string) => {
    const attributes = members === null ? "" : Object.entries(members).map(shortAttribute).join("");
    out.push(`<${name}${at === null ? "" : ` at="${at}"`}${more}${attributes}>`);
  };
  const write = (name: string, given: unknown, depth: number, at: number | null = null, more = ""): void => {
    if (given === undefined || depth > depthMax || ++nodes > nodesMax) return;
    if (given === null && at === null) return;
    const value = typeof given === "string" ? unfolded(given) : given;
    const json = value !== given && typeof given === "string" ? ` json="${quoted(given)}"` : "";
    if (Array.isArray(value)) {
      const isNested = at !== null || json !== "";
      if (isNested) open(name, null, at, more + json);
      for (const [index, item] of value.entries()) write(name, item, depth + 1, index, isNested ? "" : more);
      if (isNested) out.push(`</${name}>`);
      return;
    }
    const members = typeof value === "object" && value !== null ? value : null;
    open(name, members, at, more + json);
    if (members !== null) {
      for (const [key, member] of Object.entries(members)) write(elementName(key), member, depth + 1);
    } else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      out.push(escaped(String(value)));
    out.push(`</${name}>`);
  };
  for (const { event, row, value } of joinedEvents(eventsOf(body))) {
    const more = `${event === null ? "" : ` event="${quoted(event)}"`}${row === null ? "" : ` row="${quoted(row)}"`}`;
    write("message", value, 0, null, more);
  }
  return out.join("");
}

const reserved = new Set(["at", "event", "row", "json"]);

function shortAttribute([key, value]: [string, unknown]): string {
  const isShort =
    (typeof value === "string" && value.length <= attributeCharsMax) ||
    typeof value === "number" ||
    typeof value === "boolean";
  const name = elementName(key);
  return isShort && !reserved.has(name) && key === name ? ` ${name}="${quoted(String(value))}"` : "";
}

/** What JSON in a string says; anything else is the string itself. A text that only looks like it, such as "[1]", stays a text. */
function unfolded(text: string): unknown {
  if (text.length < 16 || !/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text)) return text;
  const value = parsed(text);
  return typeof value === "object" && value !== null ? value : text;
}

/** One message of a stream: the name of its event, or the identifier of its row, if it has one. */
interface StreamEvent {
  readonly event: string | null;
  readonly row: string | null;
  readonly value: unknown;
}

/** The messages of a body, in their order. */
export function eventsOf(body: string): StreamEvent[] {
  const text = body.replace(/^\uFEFF/, "");
  const whole = parsed(text);
  if (whole !== undefined) return [{ event: null, row: null, value: whole }];
  if (/^\s*(data|event|id|retry)?:/.test(text)) return sentEvents(text);
  return valuesIn(text);
}

/** Server-sent events. Data that is no JSON is text. */
function sentEvents(text: string): StreamEvent[] {
  const events: StreamEvent[] = [];
  let name: string | null = null;
  let data: string[] = [];
  const end = () => {
    const content = data.join("\n");
    if (content.trim() !== "" && content.trim() !== "[DONE]") {
      const value = parsed(content);
      const event = name;
      if (value !== undefined) events.push({ event, row: null, value });
      else {
        const within = /^\s*([[{]|[0-9a-z]{1,8}:)/i.test(content) ? valuesIn(content) : [];
        if (within.length > 0) events.push(...within.map((each) => ({ ...each, event })));
        // The beginning of JSON that was cut off says nothing.
        else if (!/^\s*[[{"]/.test(content)) events.push({ event, row: null, value: content });
      }
    }
    name = null;
    data = [];
  };
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line === "") end();
    else if (line.startsWith("data:")) data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
    else if (line.startsWith("event:")) name = line.slice(6).trim();
  }
  end();
  return events;
}

/** The work of looking for JSON in what is none, by the length of the text. */
const scansMax = 20;

/** JSON values that stand one after the other, with row identifiers before them and anything but JSON between them. */
function valuesIn(text: string): StreamEvent[] {
  const events: StreamEvent[] = [];
  let work = scansMax * text.length + 10_000;
  let at = 0;
  let isLineStart = true;
  while (at < text.length && work > 0) {
    const prefix = isLineStart ? /^([0-9a-z]{1,8}):(?=\S)/i.exec(text.slice(at, at + 10)) : null;
    const row = prefix?.[1] ?? null;
    const start = at + (prefix?.[0].length ?? 0);
    const long = row === null ? null : textRow(text, start);
    if (long !== null) {
      events.push({ event: null, row, value: long.value });
      at = long.end;
      isLineStart = true;
      continue;
    }
    const from =
      row === null ? start : start + (/^[A-Z]{1,2}(?=[[{"])/.exec(text.slice(start, start + 3))?.[0].length ?? 0);
    const first = text[from];
    if (first === "{" || first === "[" || (row !== null && first === '"')) {
      const end = endOfValue(text, from);
      work -= (end ?? text.length) - from;
      const value = end === null ? undefined : parsed(text.slice(from, end));
      if (end !== null && value !== undefined) {
        events.push({ event: null, row, value });
        at = end;
        isLineStart = false;
        continue;
      }
    } else if (row !== null) {
      const line = /^[^\r\n]*/.exec(text.slice(from, from + 1000))?.[0] ?? "";
      const value = parsed(line);
      if (value !== undefined) events.push({ event: null, row, value });
      at = from + line.length;
      continue;
    }
    isLineStart = text[at] === "\n" || text[at] === "\r";
    at++;
    work--;
  }
  return events;
}

/** React's rows of text have their length in bytes before them. */
function textRow(text: string, start: number): { value: string; end: number } | null {
  const head = /^T([0-9a-f]{1,8}),/.exec(text.slice(start, start + 10));
  if (head === null) return null;
  let bytes = Number.parseInt(head[1] ?? "0", 16);
  let at = start + head[0].length;
  const from = at;
  while (bytes > 0 && at < text.length) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    bytes -= Buffer.byteLength(character);
    at += character.length;
  }
  return { value: text.slice(from, at), end: at };
}

/** The end of the JSON value that begins at an index; null if it has none. */
function endOfValue(text: string, from: number): number | null {
  let depth = 0;
  let isString = false;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) {
        isString = false;
        if (depth === 0) return at + 1;
      }
    } else if (code === 0x22) isString = true;
    else if (code === 0x7b || code === 0x5b) depth++;
    else if ((code === 0x7d || code === 0x5d) && --depth <= 0) return at + 1;
  }
  return null;
}

function parsed(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Patch {
  readonly path: string;
  readonly op: string;
  readonly value: unknown;
}

/** Documents that a stream builds with patches, in place of the patches. Everything else stays as it is. */
function joinedEvents(events: readonly StreamEvent[]): StreamEvent[] {
  const joined: StreamEvent[] = [];
  const documents: { value: unknown }[] = [];
  const rest: StreamEvent[] = [];
  let last: { path: string; op: string; isSaid: boolean } = { path: "", op: "add", isSaid: true };
  const blocks = new Map<string, Record<string, unknown>>();
  for (const each of events) {
    if (addBlocks(blocks, each.value)) continue;
    const patches = patchesOf(each.value, last, documents.length > 0);
    if (patches === null) {
      rest.push(each);
      continue;
    }
    for (const patch of patches) {
      const isNew = patch.path === "" && (patch.op === "add" || documents.length === 0);
      if (isNew) documents.push({ value: copied(patch.value) });
      else applyPatch(documents, patch);
    }
    last = lastOf(each.value, last);
  }
  for (const { value } of documents) joined.push({ event: null, row: null, value });
  if (blocks.size > 0) joined.push({ event: null, row: null, value: { blocks: [...blocks.values()] } });
  return [...joined, ...rest];
}

type Members = Record<string, unknown>;
const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isString = (value: unknown): value is string => typeof value === "string";

/** Patches of `p`, `o` and `v`, of which those that are left out are those of the patch before, and of `op`, `path` and `value`. */
function patchesOf(
  value: unknown,
  last: { path: string; op: string; isSaid: boolean },
  hasDocument: boolean,
): Patch[] | null {
  if (Array.isArray(value)) {
    const all = value.map((each) => (isObject(each) && isString(each["op"]) && isString(each["path"]) ? each : null));
    return all.length === 0 || all.includes(null)
      ? null
      : all.flatMap((each) => (each === null ? [] : [standard(each)]));
  }
  if (!isObject(value)) return null;
  if (isString(value["op"]) && isString(value["path"])) return [standard(value)];
  if (Array.isArray(value["ops"])) return patchesOf(value["ops"], last, hasDocument);
  if (!("v" in value) && !(value["o"] !== undefined && isString(value["p"]))) return null;
  if (Object.keys(value).some((key) => !shortKeys.has(key))) return null;
  const { p, o, v } = value;
  if (p === undefined && o === undefined && !hasDocument && !isObject(v)) return null;
  // A whole document without a place begins the stream.
  if (p === undefined && o === undefined && isObject(v)) return [{ path: "", op: "add", value: v }];
  const path = isString(p) ? p : last.path;
  const op = isString(o) ? o.toLowerCase() : p === undefined ? repeated(last, v) : "replace";
  // Patches have places of their own, below one that is said.
  if ((op === "patch" || op === "batch") && Array.isArray(v)) return batched(v, isString(p) ? p : "");
  return [{ path, op, value: v }];
}

const shortKeys = new Set(["p", "o", "v", "c", "seq", "id", "t"]);
/** A text after one that was set without saying how goes on with it. */
const repeated = (last: { op: string; isSaid: boolean }, value: unknown) =>
  !last.isSaid && isString(value) ? "append" : last.op;

function batched(list: readonly unknown[], under: string): Patch[] {
  let before = { path: "", op: "replace" };
  return list.flatMap((each): Patch[] => {
    if (!isObject(each)) return [];
    const path = isString(each["p"]) ? `${under}/${each["p"]}` : before.path;
    const op = isString(each["o"]) ? each["o"].toLowerCase() : each["p"] === undefined ? before.op : "replace";
    before = { path, op };
    return op === "patch" || op === "batch"
      ? batched(Array.isArray(each["v"]) ? (each["v"] as unknown[]) : [], path)
      : [{ path, op, value: each["v"] }];
  });
}

function lastOf(value: unknown, last: { path: string; op: string; isSaid: boolean }) {
  if (!isObject(value) || !("v" in value)) return last;
  const { p, o } = value;
  if (p === undefined && o === undefined) return last;
  return {
    path: isString(p) ? p : last.path,
    op: isString(o) ? o.toLowerCase() : "replace",
    isSaid: isString(o),
  };
}

const standard = (each: Members): Patch => ({
  path: String(each["path"]),
  op: String(each["op"]).toLowerCase(),
  value: each["value"] ?? each["delta"],
});

const copied = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? structuredClone(value) : value;

const indexMax = 100_000;

function applyPatch(documents: { value: unknown }[], { path, op, value }: Patch): void {
  const document = documents.at(-1);
  if (document === undefined) return;
  const keys = path
    .split("/")
    .filter((key) => key !== "")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (keys.some((key) => key === "__proto__" || key === "constructor" || key === "prototype")) return;
  let holder: Members | unknown[] = document;
  let key = "value";
  for (const next of keys) {
    const inner: unknown = memberOf(holder, key);
    if (typeof inner !== "object" || inner === null) {
      const made: Members | unknown[] = /^(\d+|-)$/.test(next) ? [] : {};
      setMember(holder, key, made);
      holder = made;
    } else holder = inner as Members | unknown[];
    key = next;
  }
  if (op === "remove" || op === "delete") {
    if (Array.isArray(holder)) holder.splice(placeIn(holder, key), 1);
    else Reflect.deleteProperty(holder, key);
  } else if (op === "append" || op === "str_ins" || op === "concat")
    setMember(holder, key, appended(memberOf(holder, key), value));
  else if (op === "truncate") {
    const text = memberOf(holder, key);
    if (isString(text) && typeof value === "number") setMember(holder, key, text.slice(0, value));
  } else if (op === "add" && Array.isArray(holder))
    holder.splice(key === "-" ? holder.length : placeIn(holder, key), 0, copied(value));
  else if (op === "add" || op === "replace" || op === "set") setMember(holder, key, copied(value));
}

function placeIn(list: readonly unknown[], key: string): number {
  const index = Number(key);
  if (!Number.isInteger(index)) return list.length;
  return Math.max(0, Math.min(index < 0 ? list.length + index : index, indexMax));
}

const memberOf = (holder: Members | unknown[], key: string): unknown =>
  Array.isArray(holder) ? holder[placeIn(holder, key)] : Object.hasOwn(holder, key) ? holder[key] : undefined;

function setMember(holder: Members | unknown[], key: string, value: unknown): void {
  if (Array.isArray(holder)) holder[key === "-" ? holder.length : placeIn(holder, key)] = value;
  else holder[key] = value;
}

function appended(before: unknown, value: unknown): unknown {
  if (before === undefined || before === null) return copied(value);
  if (isString(before)) return before + (isString(value) ? value : JSON.stringify(value));
  if (Array.isArray(before))
    return [...(before as unknown[]), ...(Array.isArray(value) ? (copied(value) as unknown[]) : [copied(value)])];
  return isObject(before) && isObject(value) ? { ...before, ...value } : copied(value);
}

/** Blocks that a stream sends whole or as patches of one of their members (`diff_block`), by what each is for. */
function addBlocks(blocks: Map<string, Members>, value: unknown): boolean {
  const list = isObject(value) && Array.isArray(value["blocks"]) ? (value["blocks"] as unknown[]) : [];
  const isOfDiffs = list.some((block) => isObject(block) && isObject(block["diff_block"]));
  if (!isOfDiffs && blocks.size === 0) return false;
  for (const block of list) {
    if (!isObject(block) || !isString(block["intended_usage"])) continue;
    const use = block["intended_usage"];
    const known = blocks.get(use) ?? { intended_usage: use };
    blocks.set(use, known);
    const { diff_block: diff, ...whole } = block;
    Object.assign(known, copied(whole));
    if (!isObject(diff) || !isString(diff["field"]) || !Array.isArray(diff["patches"])) continue;
    const state = [{ value: known[diff["field"]] }];
    for (const patch of diff["patches"] as unknown[])
      if (isObject(patch) && isString(patch["path"]) && isString(patch["op"])) {
        const { path, op, value: to } = standard(patch);
        if (path === "") state[0] = { value: copied(to) };
        else applyPatch(state, { path, op, value: to });
      }
    known[diff["field"]] = state[0]?.value;
  }
  return list.length > 0;
}

/** A member's name as an element's name: `search_results`; other characters become `_`. */
const elementName = (key: string) => {
  const name = key.slice(0, 100).replaceAll(/[^A-Za-z0-9_-]/g, "_");
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
};

const escaped = (text: string) =>
  text
    // XML cannot contain other control characters, in any notation.
    .replaceAll(/[^\P{Cc}\t\n\r]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
const quoted = (text: string) =>
  escaped(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;").replaceAll("\r", "&#13;");

/** How a recipe reads the text of an answer from the response that brings it. */
type Rule = NonNullable<Recipe["turn"]["response"]>;

/** The Markdown that the response has; empty if it has none. */
export function responseText($: CheerioAPI, rule: Rule): string {
  const text = rawText($, rule);
  if (text.trim() === "") return "";
  const { plain, citations } = withoutMarks($, rule, text);
  return cite({ text: plain, citations, numberings: [] }).trim();
}

function rawText($: CheerioAPI, { text, join = "append" }: Rule): string {
  for (const selector of selectors(text)) {
    const found = $(selector)
      .toArray()
      .map((node) => $(node).attr("json") ?? $(node).text());
    if (found.some((each) => each !== ""))
      return join === "append" ? found.join("") : (found.findLast((each) => each !== "") ?? "");
  }
  return "";
}

const marksMax = 2_000;

/** The text without the marks of its citations, and where they stood. */
function withoutMarks($: CheerioAPI, { citations: rule }: Rule, text: string) {
  const pages = new Map<string, { url: string; label?: string }[]>();
  const selector = selectors(rule?.each).find((each) => $(each).length > 0);
  if (rule !== undefined && selector !== undefined)
    for (const node of $(selector).toArray().slice(0, marksMax)) {
      const mark = readField($, $(node), rule.mark)[0] ?? "";
      const titles = readField($, $(node), rule.title);
      const urls = readField($, $(node), rule.url).filter((url) => /^https?:\/\//i.test(url));
      if (mark !== "" && !pages.has(mark))
        pages.set(
          mark,
          urls.map((url, at) => ({ url, ...(titles[at] === undefined ? {} : { label: titles[at] }) })),
        );
    }
  const citations: { start: number; end: number; url: string; label?: string }[] = [];
  const marks = [...pages.keys()].toSorted((a, b) => b.length - a.length).map((mark) => RegExp.escape(mark));
  // A mark that nothing explains, and the beginning of one that was cut off, are no text either.
  const expression = new RegExp(
    [...marks, "\ue200[^\ue200\ue201]*\ue201", "\ue200[^\ue200\ue201]*$", "[\ue200-\ue2ff]"].join("|"),
    "gu",
  );
  let plain = "";
  let from = 0;
  for (const match of text.matchAll(expression)) {
    plain += text.slice(from, match.index);
    from = match.index + match[0].length;
    const cited = pages.get(match[0]) ?? [];
    for (const page of cited) citations.push({ start: plain.length, end: plain.length, ...page });
    // Not two spaces, and none before a full stop.
    if (cited.length === 0 && /[ \t]$/.test(plain) && /^[ \t.,;:!?]/.test(text.slice(from)))
      plain = plain.replace(/[ \t]+$/, "");
  }
  return { plain: plain + text.slice(from), citations };
}

/** How much of two texts is the same, whatever marks them up. `part`: the page shows only some of the response's words. */
export function compareTexts(response: string, page: string): "same" | "part" | "different" {
  const [one, two] = [wordsIn(response), wordsIn(page)];
  const left = new Map<string, number>();
  for (const word of one) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of two) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    common++;
  }
  if (common >= sameShare * Math.max(one.length, two.length)) return "same";
  return common >= sameShare * two.length && two.length > 0 ? "part" : "different";
}

const sameShare = 0.9;

/** The words of a text without addresses, marks and TeX's commands. One character each where words have no spaces between them. */
export function wordsIn(markdown: string): string[] {
  const plain = markdown.replaceAll(/\]\([^)\s]*(?:\s"[^"]*")?\)/g, " ").replaceAll(/https?:\/\/\S+/g, " ");
  return plain.toLowerCase().match(/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|[\p{L}\p{N}]+/gu) ?? [];
}
