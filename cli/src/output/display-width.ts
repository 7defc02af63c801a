import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
let measure: typeof import("string-width").default | undefined;

/** The width of text in a terminal, in cells. Plain ASCII needs no tables of characters, which take a third of a start to load. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  measure ??= (require("string-width") as typeof import("string-width")).default;
  return measure(text);
}
