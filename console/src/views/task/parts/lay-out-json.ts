export interface JsonToken {
  readonly kind: "key" | "string" | "number" | "word" | "sign" | "space";
  readonly text: string;
}

/** Lays JSON out in lines without reading its values: every string and number keeps the very characters that it came with. */
export function layOutJson(text: string): JsonToken[] {
  const words = text.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  const tokens: JsonToken[] = [];
  let depth = 0;
  const line = () => tokens.push({ kind: "space", text: `\n${"  ".repeat(depth)}` });
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    if (word === "{" || word === "[") {
      tokens.push({ kind: "sign", text: word });
      depth++;
      if (next !== "}" && next !== "]") line();
    } else if (word === "}" || word === "]") {
      depth--;
      const before = words[index - 1];
      if (before !== "{" && before !== "[") line();
      tokens.push({ kind: "sign", text: word });
    } else if (word === ",") {
      tokens.push({ kind: "sign", text: word });
      line();
    } else if (word === ":") tokens.push({ kind: "sign", text: word }, { kind: "space", text: " " });
    else tokens.push({ kind: kindOf(word, next), text: word });
  }
  return tokens;
}

function kindOf(word: string, next: string | undefined): JsonToken["kind"] {
  if (word.startsWith('"')) return next === ":" ? "key" : "string";
  return /^-?\d/.test(word) ? "number" : "word";
}
