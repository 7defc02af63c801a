import { parse } from "tldts";

/**
 * Where a text has no prose, and so no mentions: code, the targets of links, HTML tags, and addresses. An address says which source
 * was used; that is counted separately. The name of a host alone, such as `you.com`, can be a brand's name.
 */
export interface SkippedSpans {
  /** True if no mention may stand at this span. */
  covers(start: number, end: number): boolean;
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
    covers: (start, end) => {
      const mark = marks[start] ?? 0;
      if (mark === 1 || marks[end - 1] === 1) return true;
      return mark === 2 ? hosts.get(start) !== end : marks[end - 1] === 2;
    },
  };
}

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
  for (const { index, 0: address } of text.matchAll(
    /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>"`|、。，；：！？（）「」『』《》【】]*/giu,
  ))
    skip(index, index + address.length);
}

/** Host names, with the path that may follow, and mail addresses. */
function skipHosts(text: string, skip: Skip, host: Skip): void {
  for (const { index, run } of runsWithDots(text)) {
    const name = run.replace(/[.@_+-]+$/u, "");
    const end = index + name.length;
    const isMail = name.includes("@");
    if (!isMail && !isHost(name)) continue;
    const path = /[/?#:][^\s<>"`|)\]、。，；：！？（）「」『』《》【】]+/uy;
    path.lastIndex = end;
    const [rest = ""] = path.exec(text) ?? [];
    const isAddress = isMail || /^www\./iu.test(name) || (rest.length > 1 && !rest.startsWith(":"));
    if (isAddress) skip(index, end + rest.length);
    else host(index, end);
  }
}

/** The longest runs of letters, digits and the signs of addresses that have a dot. Most words have none, and are not looked at. */
function* runsWithDots(text: string): Generator<{ index: number; run: string }, void, void> {
  for (let dot = text.indexOf("."); dot !== -1;) {
    let [index, end] = [dot, dot + 1];
    while (index > 0 && isRunCharacter(text.charCodeAt(index - 1))) index--;
    while (end < text.length && isRunCharacter(text.charCodeAt(end))) end++;
    while (index < end && !isAlphanumeric(text.charCodeAt(index))) index++;
    const run = text.slice(index, end);
    if (run.includes(".")) yield { index, run };
    dot = text.indexOf(".", end);
  }
}

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
