import { parse } from "tldts";

/**
 * Where a text has no prose, and so no mentions: code, the targets of links, HTML tags, and addresses. An address says which source
 * was used; that is counted separately. The name of a host alone, such as `you.com`, can be a brand's name.
 */
export interface SkippedSpans {
  /**
   * Where a mention at this span ends: at its end, or at that of the host that consists of it and a public suffix, as in `Notion.so`. Null:
   * no mention may stand there.
   */
  endInProse(start: number, end: number): number | null;
}

export function findSkippedSpans(text: string): SkippedSpans {
  // 1: skipped. 2: the name of a host, in which only a mention of the whole counts.
  const marks = new Uint8Array(text.length);
  const hosts = new Map<number, number>();
  const skip = (start: number, end: number): void => void marks.fill(1, start, end);
  if (text.includes("`") || text.includes("~~~")) skipCode(text, skip);
  if (text.includes("](")) skipTargets(text, skip);
  if (text.includes("<"))
    for (const { index, 0: tag } of text.matchAll(/<[a-z/!][^<>]*>/giu)) skip(index, index + tag.length);
  if (text.includes(":")) skipAddresses(text, skip);
  if (text.includes(".") || text.includes("@")) {
    skipHosts(text, skip, (start, end) => {
      marks.subarray(start, end).forEach((mark, index, part) => (part[index] = mark === 1 ? 1 : 2));
      hosts.set(start, end);
    });
  }
  return {
    endInProse: (start, end) => {
      const mark = marks[start] ?? 0;
      if (mark === 1 || marks[end - 1] === 1) return null;
      if (mark !== 2) return marks[end - 1] === 2 ? null : end;
      const hostEnd = hosts.get(start) ?? 0;
      return hostEnd === end || isNameWithSuffix(text, start, end, hostEnd) ? hostEnd : null;
    },
  };
}

/** `Notion.so`, as a company writes its name: with a capital letter, unlike an address. `Shell.sh` is the name of a file. */
function isNameWithSuffix(text: string, start: number, end: number, hostEnd: number): boolean {
  if (text[end] !== "." || hostEnd < end) return false;
  const name = text.slice(start, end);
  const ending = text.slice(end + 1, hostEnd).toLowerCase();
  if (name === name.toLowerCase() || fileEndings.has(ending)) return false;
  return parse(`${name}.${ending}`, { detectIp: false }).publicSuffix === ending;
}

/** Public suffixes that are mostly endings of files. */
const fileEndings = new Set(["cc", "md", "mov", "pl", "ps", "py", "rs", "sh", "zip"]);

type Skip = (start: number, end: number) => void;

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly start: number;
}

/** Fenced blocks and code spans, as CommonMark defines them. A fence that is not closed runs to the end. */
function skipCode(text: string, skip: Skip): void {
  let fence: Fence | null = null;
  let paragraph: BacktickRun[] = [];
  const endParagraph = (): void => {
    skipSpans(paragraph, skip);
    paragraph = [];
  };
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = lineEndAfter(text, start);
    const line = text.slice(start, end);
    const marks = fenceOf(line);
    if (fence !== null) {
      if (!marks.startsWith(fence.mark) || marks.length < fence.length) continue;
      skip(fence.start, end);
      fence = null;
    } else if (marks !== "") {
      endParagraph();
      fence = { mark: marks.charAt(0), length: marks.length, start };
    } else if (line.trim() === "") {
      endParagraph();
    } else {
      for (const { index, 0: run } of line.matchAll(/`+/gu))
        paragraph.push({ index: start + index, length: run.length });
    }
  }
  if (fence !== null) skip(fence.start, text.length);
  endParagraph();
}

function lineEndAfter(text: string, start: number): number {
  const newline = text.indexOf("\n", start);
  return newline === -1 ? text.length : newline;
}

/** The marks that open or close a fenced block, or an empty text. Backticks with others after them are a code span. */
function fenceOf(line: string): string {
  const [whole = "", marks = ""] = fenceLine.exec(line.slice(0, fencePrefixMax)) ?? [];
  return marks.startsWith("`") && line.includes("`", whole.length) ? "" : marks;
}

/** A fence may stand in a quotation or in an item of a list. */
const fenceLine = /^(?:[ \t>]|[-*+] |\d{1,9}[.)] )*(`{3,}|~{3,})/u;
const fencePrefixMax = 200;

interface BacktickRun {
  readonly index: number;
  readonly length: number;
}

/** Code spans of one paragraph: a run of backticks up to the next run of the same length. */
function skipSpans(runs: readonly BacktickRun[], skip: Skip): void {
  const next = new Map<number, number>();
  const closing = runs.map(() => -1);
  for (let at = runs.length - 1; at >= 0; at--) {
    const { length } = runs[at] ?? { length: 0 };
    closing[at] = next.get(length) ?? -1;
    next.set(length, at);
  }
  for (let at = 0; at < runs.length; at++) {
    const end = closing[at] ?? -1;
    const [first, last] = [runs[at], runs[end]];
    if (first === undefined || last === undefined) continue;
    skip(first.index, last.index + last.length);
    at = end;
  }
}

/** What stands in the round brackets of a link or picture. The text of the link is prose. */
function skipTargets(text: string, skip: Skip): void {
  const target = /\s*(?:<[^<>\n]*>|(?:[^\s()]|\([^\s()]*\))*)(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?/uy;
  for (let at = text.indexOf("]("); at !== -1;) {
    target.lastIndex = at + 2;
    target.test(text);
    const end = Math.max(at + 2, target.lastIndex);
    skip(at + 2, end);
    at = text.indexOf("](", end);
  }
}

/** Addresses with a scheme. */
function skipAddresses(text: string, skip: Skip): void {
  const rest = /[^\s<>"`|、。，；：！？（）「」『』《》【】]*/uy;
  for (let from = 0, at = text.indexOf("://"); at !== -1; at = text.indexOf("://", from)) {
    const start = schemeStart(text, from, at);
    rest.lastIndex = from = at + 3;
    if (start === null) continue;
    rest.test(text);
    from = rest.lastIndex;
    skip(start, from);
  }
}

const schemeCharsMax = 21;

/** Where the scheme before `end` starts: the first letter of the signs that may be in one. Null: there is none. */
function schemeStart(text: string, from: number, end: number): number | null {
  let start: number | null = null;
  for (let at = end - 1; at >= from && at >= end - schemeCharsMax && isSchemeCharacter(text.charCodeAt(at)); at--)
    if (at < end - 1 && isLetter(text.charCodeAt(at))) start = at;
  return start;
}

/** Host names, with the path that may follow, and mail addresses. */
function skipHosts(text: string, skip: Skip, host: Skip): void {
  const path = /[/?#:][^\s<>"`|)\]、。，；：！？（）「」『』《》【】]+/uy;
  for (let from = 0, found = runWithDot(text, from); found !== null; found = runWithDot(text, from)) {
    const { index, end: runEnd } = found;
    from = runEnd;
    let end = runEnd;
    while (end > index && !isAlphanumeric(text.charCodeAt(end - 1))) end--;
    // Nothing that is longer is a host, and a mail address is hardly ever.
    const name = end - index > addressCharsMax ? "" : text.slice(index, end);
    const isMail = name.includes("@");
    if (!isMail && !isHost(name)) continue;
    const isWhole = isMail || /^www\./iu.test(name);
    // After a host alone a colon is one of the sentence.
    if (text[end] === ":" && !isWhole) {
      host(index, end);
      continue;
    }
    path.lastIndex = end;
    const pathEnd = path.test(text) ? path.lastIndex : end;
    if (isWhole || pathEnd > end) skip(index, pathEnd);
    else host(index, end);
    // What the path contains is skipped, and read once.
    from = Math.max(from, pathEnd);
  }
}

const addressCharsMax = 1_000;

/** The next run of letters, digits and the signs of addresses that has a dot. Most words have none, and are not looked at. */
function runWithDot(text: string, from: number): { readonly index: number; readonly end: number } | null {
  for (let dot = text.indexOf(".", from); dot !== -1;) {
    let [index, end] = [dot, dot + 1];
    while (index > from && isRunCharacter(text.charCodeAt(index - 1))) index--;
    while (end < text.length && isRunCharacter(text.charCodeAt(end))) end++;
    while (index < end && !isAlphanumeric(text.charCodeAt(index))) index++;
    const inner = text.indexOf(".", index);
    if (inner !== -1 && inner < end) return { index, end };
    dot = inner === -1 ? -1 : text.indexOf(".", end);
  }
  return null;
}

const isLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
const isSchemeCharacter = (code: number): boolean =>
  isAlphanumeric(code) || code === 0x2b || code === 0x2d || code === 0x2e;
const isAlphanumeric = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);
/** A letter, a digit, or one of `.@_+-`. */
const isRunCharacter = (code: number): boolean =>
  isAlphanumeric(code) || code === 0x2e || code === 0x40 || code === 0x5f || code === 0x2b || code === 0x2d;

function isHost(name: string): boolean {
  if (!name.includes(".") || name.length > 253) return false;
  const last = name.slice(name.lastIndexOf(".") + 1);
  // A capital letter after a full stop starts a sentence: `pie.Apple` is not a host, although `apple` is a top-level domain.
  if (last !== last.toLowerCase() && name !== name.toUpperCase()) return false;
  if (/^\d+$/u.test(last)) return false;
  const { isIcann, domain } = parse(name, { detectIp: false });
  return isIcann === true && domain !== null;
}
