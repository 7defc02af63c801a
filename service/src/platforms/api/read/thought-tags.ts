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

export interface Tag {
  readonly from: number;
  readonly to: number;
  readonly isClose: boolean;
  /** What opens and closes the same reasoning. */
  readonly family: string;
}

export const tagsIn = (text: string): Tag[] => [...text.matchAll(tag)].map(tagOf);

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
