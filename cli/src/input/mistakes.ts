import { UsageError } from "../exit-codes.ts";

/** Mistakes that are shown. Further ones are counted. */
const shownMax = 100;
const linesMax = 5;

interface Mistake {
  readonly text: string;
  readonly lines: number[];
  more: number;
}

/** The errors in a file, each listed once with its lines. However many there are, the memory for them is bounded. */
export class Mistakes {
  readonly #name: string;
  readonly #outcome: string;
  readonly #shown = new Map<string, Mistake>();
  #others = 0;

  /** `outcome`: what the file being wrong means, such as `Nothing was submitted.` */
  constructor(name: string, outcome = "Nothing was submitted.") {
    this.#name = name;
    this.#outcome = outcome;
  }

  get count(): number {
    return this.#shown.size + this.#others;
  }

  add(line: number, text: string): void {
    const known = this.#shown.get(text);
    if (known === undefined) {
      if (this.#shown.size < shownMax) this.#shown.set(text, { text, lines: [line], more: 0 });
      else this.#others++;
    } else if (known.lines.at(-1) !== line) {
      if (known.lines.length <= linesMax) known.lines.push(line);
      else known.more++;
    }
  }

  throwIfAny(): void {
    if (this.count > 0) throw new UsageError(this.describe().join("\n"));
  }

  /** `questions.csv:3: there is no question.`, in the order of the file. */
  describe(): string[] {
    const texts = [...this.#shown.values()].map(({ text, lines: [first = 0, ...others], more }) => {
      const same = others.length === 0 ? "" : ` The same in ${linesText(others, more)}.`;
      return `${this.#name}:${first}: ${text}${same}`;
    });
    if (this.count === 1) return [...texts, this.#outcome];
    return [
      `${this.#name} has ${this.count.toLocaleString("en")} mistakes. ${this.#outcome}`,
      ...texts.map((text) => `  ${text}`),
      ...(this.#others > 0 ? [`  and ${this.#others.toLocaleString("en")} more`] : []),
    ];
  }
}

function linesText(lines: readonly number[], more: number): string {
  if (lines.length === 1) return `line ${lines[0]}`;
  if (more > 0) return `lines ${lines.join(", ")} and ${more.toLocaleString("en")} more`;
  return `lines ${lines.slice(0, -1).join(", ")} and ${lines.at(-1)}`;
}
