import { UsageError } from "../exit-codes.js";
const shownMax = 20;
const linesMax = 5;
/** The errors in a file, each listed once with its lines. */
export class Mistakes {
  #name;
  #lines = new Map();
  constructor(name) {
    this.#name = name;
  }
  get count() {
    return this.#lines.size;
  }
  add(line, text) {
    const lines = this.#lines.get(text);
    if (lines === undefined) this.#lines.set(text, new Set([line]));
    else lines.add(line);
  }
  throwIfAny() {
    if (this.count > 0) throw new UsageError(this.describe().join("\n"));
  }
  /** `questions.csv:3: there is no question.`, in the order of the file. */
  describe() {
    const texts = [...this.#lines].map(([text, lines]) => {
      const [first = 0, ...others] = lines;
      return `${this.#name}:${first}: ${text}${others.length === 0 ? "" : ` The same in ${linesText(others)}.`}`;
    });
    if (texts.length === 1) return [...texts, "Nothing was submitted."];
    const more = texts.length - shownMax;
    return [
      `${this.#name} has ${texts.length} mistakes. Nothing was submitted.`,
      ...texts.slice(0, shownMax).map((text) => `  ${text}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ];
  }
}
function linesText(lines) {
  if (lines.length === 1) return `line ${lines[0]}`;
  if (lines.length > linesMax)
    return `lines ${lines.slice(0, linesMax).join(", ")} and ${(lines.length - linesMax).toLocaleString("en")} more`;
  return `lines ${lines.slice(0, -1).join(", ")} and ${lines.at(-1)}`;
}
