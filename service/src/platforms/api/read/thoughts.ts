/**
 * Reasoning that a model wrote into its text because no parser of its server took it out.
 */
import { codeRanges, isWithin, type Range } from "./code-ranges.ts";

export interface Thoughts {
  readonly thoughts: readonly string[];
  /** What remains: the answer. */
  readonly answer: string;
  /** Where an offset into the text is in the answer; null if it is in the reasoning. */
  readonly place: (offset: number) => number | null;
  /** The text ends within reasoning. */
  readonly isOpen: boolean;
}

/** What some models write around the answer that follows their reasoning. */
const wrappers =
  /^\s*<(answer|response|output)>\s*|\s*<\/(?:answer|response|output)>\s*$|<\|(?:begin|end)_of_solution\|>|<\|(?:START|END)_(?:RESPONSE|TEXT)\|>|<(?:turn|\|return|\|end|\|answer_prefix|\|answer_suffix)\|>/gu;

export function splitThoughts(text: string): Thoughts {
  if (!/<|◁|\[\/?THINK\]|\[unused1[67]\]|^\s*(?:analysis|Here)/u.test(text)) return whole(text);
  return channels(text) ?? labeled(text) ?? tagged(text);
}

const whole = (text: string): Thoughts => ({
  thoughts: [],
  answer: text,
  place: (offset) => offset,
  isOpen: false,
});

function tagged(text: string): Thoughts {
  const tags = tagsIn(text);
  if (tags.length === 0) return whole(text);
  const lastCloses = new Map(tags.flatMap(({ isClose, family }, index) => (isClose ? [[family, index]] : [])));
  const kept: Range[] = [];
  const thoughts: string[] = [];
  /** Reasoning may leave a fence or a backtick open, so the code of what follows it is determined by itself. */
  let code = shifted(codeRanges(text), 0);
  let computed = 1;
  let at = 0;
  let isOpen = false;
  const mentioned = new Set<Tag>();
  const cut = (from: number, thoughtFrom: number, thoughtTo: number, to: number): void => {
    kept.push({ from: at, to: from });
    thoughts.push(text.slice(thoughtFrom, thoughtTo));
    at = to;
    if (/[`~\n]/u.test(text.slice(thoughtFrom, thoughtTo)) && computed < computedMax) {
      code = shifted(codeRanges(text.slice(to)), to);
      computed += 1;
    }
  };
  for (let index = 0; index < tags.length; index += 1) {
    const here = tags[index];
    if (here === undefined || here.from < at || mentioned.has(here) || isWithin(code, here.from + 0.5)) continue;
    if (here.isClose) {
      if (isQuoted(text, here)) continue;
      // Some chat templates put the opening tag into the prompt.
      if (kept.every(({ from, to }) => text.slice(from, to).trim() === "")) {
        kept.length = 0;
        cut(at, at, here.from, here.to);
      } else {
        kept.push({ from: at, to: here.from });
        at = here.to;
      }
      continue;
    }
    const close = (lastCloses.get(here.family) ?? 0) > index ? closeOf(text, tags, index) : null;
    if (close !== null) {
      const thought = text.slice(here.to, close.from);
      const isMention =
        !startsLine(text, here) && /^[\s,/…]*(?:and|or|und|oder|et|ou|y|o|和|与|或)?[\s,/…]*$/iu.test(thought);
      if (isMention && thought !== "") {
        mentioned.add(close);
        continue;
      }
      cut(here.from, here.to, close.from, close.to);
    } else if (startsSentence(text, here) || !here.family.startsWith("<")) {
      cut(here.from, here.to, text.length, text.length);
      isOpen = true;
      break;
    }
  }
  if (thoughts.length === 0 && at === 0) return whole(text);
  kept.push({ from: at, to: text.length });
  return assembled(text, kept, thoughts, isOpen);
}

/** How often code is determined again. A text with more reasoning than this is made to be slow. */
const computedMax = 50;

/** The tag that ends the reasoning: the one at the depth of the opening one, or else the first. */
function closeOf(text: string, tags: readonly Tag[], index: number): Tag | null {
  const family = tags[index]?.family;
  let first: Tag | null = null;
  let depth = 1;
  for (let next = index + 1; next < tags.length && next < index + tagsMax; next += 1) {
    const candidate = tags[next];
    if (candidate === undefined || candidate.family !== family) continue;
    // A tag that reasoning speaks of stands in code of its own.
    if (isQuoted(text, candidate) || isInTicks(text, candidate)) continue;
    if (!candidate.isClose) {
      depth += 1;
      continue;
    }
    first ??= candidate;
    depth -= 1;
    if (depth === 0) return candidate;
  }
  return first ?? lastQuoted(text, tags, index);
}
const tagsMax = 200;

/** Without any other end, one in quotes or beside a backtick is the end. */
function lastQuoted(text: string, tags: readonly Tag[], index: number): Tag | null {
  const family = tags[index]?.family;
  const candidates = tags.slice(index + 1, index + tagsMax).filter((next) => next.isClose && next.family === family);
  return candidates.find((next) => !(isQuoted(text, next) || isFullyInTicks(text, next))) ?? null;
}

const quotes = new Set(['"', "'", "“", "”", "‘", "’", "«", "»", "「", "」"]);

function isQuoted(text: string, { from, to }: Tag): boolean {
  return quotes.has(text[from - 1] ?? "") && quotes.has(text[to] ?? "");
}

/** In a code span of this line, of which it is the first or the last part. */
function isInTicks(text: string, { from, to }: Tag): boolean {
  if (text[from - 1] !== "`" && text[to] !== "`") return false;
  const before =
    text
      .slice(Math.max(0, from - spanCharsMax), from)
      .split("\n")
      .at(-1) ?? "";
  const after = text.slice(to, to + spanCharsMax).split("\n")[0] ?? "";
  return before.split("`").length % 2 === 0 && after.includes("`");
}

function isFullyInTicks(text: string, { from, to }: Tag): boolean {
  return text[from - 1] === "`" && text[to] === "`";
}
const spanCharsMax = 500;

function startsLine(text: string, { from }: Tag): boolean {
  return /(?:^|\n)[ \t]*$/u.test(text.slice(Math.max(0, from - 100), from));
}

/** Reasoning without an end begins where a sentence could; within one, the author speaks of the tag. */
function startsSentence(text: string, here: Tag): boolean {
  return (
    startsLine(text, here) || /[.!?…:。！？：)\]>*|]\s*$/u.test(text.slice(Math.max(0, here.from - 10), here.from))
  );
}

function shifted(ranges: readonly Range[], by: number): readonly Range[] {
  return by === 0 ? ranges : ranges.map(({ from, to }) => ({ from: from + by, to: to + by }));
}

/** OpenAI's harmony format, and what is left of it if a server removes its special tokens. */
function channels(text: string): Thoughts | null {
  const bare = /^\s*analysis(?=\S)([^]*?)assistantfinal/u.exec(text);
  if (bare !== null) {
    return assembled(text, [{ from: bare[0].length, to: text.length }], [bare[1] ?? ""], false);
  }
  if (!/^\s*(?:<\|start\|>assistant\s*)?<\|channel\|>/u.test(text)) return null;
  const kept: Range[] = [];
  const thoughts: string[] = [];
  let isOpen = false;
  const parts = [
    ...text.matchAll(
      /(?:<\|start\|>[^<]{0,100})?<\|channel\|>([^<]{0,200})(?:<\|constrain\|>[^<]{0,50})?<\|message\|>/gu,
    ),
  ];
  for (const [index, part] of parts.entries()) {
    const from = part.index + part[0].length;
    const limit = parts[index + 1]?.index ?? text.length;
    const end = /<\|(?:end|return|call)\|>/u.exec(text.slice(from, limit));
    const to = end === null ? limit : from + end.index;
    const channel = (part[1] ?? "").trim();
    isOpen = !channel.startsWith("final");
    if (!isOpen) kept.push({ from, to });
    // What is addressed to a tool is no thought.
    else if (!/\bto=/u.test(channel)) thoughts.push(text.slice(from, to));
  }
  if (parts.length === 0) return null;
  return assembled(text, kept, thoughts, isOpen);
}

/** IBM's Granite. */
function labeled(text: string): Thoughts | null {
  const start = /^\s*Here(?:'s| is) my thought process:/u.exec(text);
  if (start === null) return null;
  const end = /Here(?:'s| is) my response:/u.exec(text);
  if (end === null) return null;
  const from = end.index + end[0].length;
  return assembled(text, [{ from, to: text.length }], [text.slice(start[0].length, end.index)], false);
}

/** Puts together what is kept. What reasoning parted stays apart. */
function assembled(text: string, ranges: readonly Range[], thoughts: readonly string[], isOpen: boolean): Thoughts {
  const kept: (Range & { readonly at: number })[] = [];
  let answer = "";
  let end = 0;
  for (const { from, to } of ranges) {
    let start = from;
    if (answer === "") while (start < to && /\s/u.test(text[start] ?? "")) start += 1;
    if (start >= to) continue;
    if (answer !== "" && /^\S\S$/u.test(`${text[end - 1] ?? ""}${text[start] ?? ""}`)) answer += "\n\n";
    kept.push({ from: start, to, at: answer.length });
    answer += text.slice(start, to);
    end = to;
  }
  const place = (offset: number): number | null => {
    const range = kept[firstEndingAt(kept, offset)];
    return range === undefined || offset < range.from ? null : range.at + offset - range.from;
  };
  if (!wrappersMayBe.test(answer)) return { thoughts, answer, place, isOpen };
  return unwrapped({ thoughts, answer, place, isOpen });
}

/** The index of the first range that ends at an offset or later. */
function firstEndingAt(ranges: readonly Range[], offset: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.to ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
const wrappersMayBe = /<(?:\/?(?:answer|response|output)|\||turn)/u;

function unwrapped(given: Thoughts): Thoughts {
  const removed: Range[] = [];
  const isWrapped = /^\s*<(answer|response|output)>/u.test(given.answer);
  const answer = given.answer.replace(wrappers, (found: string, ...rest: unknown[]) => {
    if (!isWrapped && /(?:answer|response|output)>\s*$/u.test(found)) return found;
    const from = rest.find((value) => typeof value === "number") ?? 0;
    removed.push({ from, to: from + found.length });
    return "";
  });
  const place = (offset: number): number | null => {
    const before = given.place(offset);
    if (before === null) return null;
    return removed.reduce((at, { from, to }) => at - Math.max(0, Math.min(before, to) - from), before);
  };
  return { ...given, answer: answer.trimStart(), place: shiftedBy(answer, place) };
}

function shiftedBy(answer: string, place: (offset: number) => number | null): (offset: number) => number | null {
  const lead = answer.length - answer.trimStart().length;
  return (offset) => {
    const at = place(offset);
    return at === null ? null : Math.max(0, at - lead);
  };
}

/**
 * The marks of reasoning that models write: those of the reasoning parsers of vLLM, SGLang, llama.cpp, Ollama and MLX, and of Open
 * WebUI (November 2026).
 */
/** `<think>`, with a namespace (`seed:think`, `mm:think`, `think:opensource`) and attributes, in any case of letters. */
const names =
  "think(?:ing)?|thoughts?|reason(?:ing)?|reflection|ant_?thinking|inner_monologue|(?:reasoning_)?scratchpad|longcat_think";
const element = String.raw`(?:[a-z]{2,12}:)?(?:${names})(?::[a-z]{2,16})?`;

/** Pairs of marks that are no elements: an expression for the first, the second as it is written. */
const pairs: readonly (readonly [open: string, close: string])[] = [
  // Kimi.
  ["◁think▷", "◁/think▷"],
  // Magistral, and others of Mistral.
  [String.raw`\[THINK\]`, "[/THINK]"],
  // OpenThinker.
  [String.raw`<\|begin_of_thought\|>`, "<|end_of_thought|>"],
  // Cohere's Command.
  [String.raw`<\|START_THINKING\|>`, "<|END_THINKING|>"],
  // Apertus.
  [String.raw`<\|inner_prefix\|>`, "<|inner_suffix|>"],
  // Gemma 4.
  [String.raw`<\|channel>(?:thought|analysis)?`, "<channel|>"],
  // Pangu.
  [String.raw`\[unused16\]`, "[unused17]"],
];
const tag = new RegExp(
  [
    String.raw`<(?<slash>/?)(?<name>${element})(?:\s[^<>]{0,200})?>`,
    ...pairs.map(([open], index) => `(?<open${index}>${open})`),
    ...pairs.map(([, close], index) => `(?<close${index}>${close.replace(/[[\]|/]/gu, String.raw`\$&`)})`),
  ].join("|"),
  "giu",
);

interface Tag {
  readonly from: number;
  readonly to: number;
  readonly isClose: boolean;
  /** What opens and closes the same reasoning. */
  readonly family: string;
}

const tagsIn = (text: string): Tag[] => [...text.matchAll(tag)].map(tagOf);

function tagOf(found: RegExpMatchArray): Tag {
  const from = found.index ?? 0;
  const to = from + found[0].length;
  const { slash, name, ...marks } = found.groups ?? {};
  if (name !== undefined) {
    // `<think>` may be closed by `</thinking>`.
    const family = `<${name.toLowerCase().replace("thinking", "think").replace(/s$/u, "")}`;
    return { from, to, isClose: slash === "/", family };
  }
  const mark = Object.entries(marks).find(([, value]) => (value as string | undefined) !== undefined)?.[0] ?? "";
  return { from, to, isClose: mark.startsWith("close"), family: mark.replace(/^\D+/u, "") };
}
