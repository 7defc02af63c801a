import type { CommandOutput } from "./output.ts";

const cells = 24;
const quietStepMs = 10_000;

/** Progress: a bar on a terminal, otherwise a line from time to time. */
export class ProgressBar {
  readonly #output: CommandOutput;
  readonly #label: string;
  #notedAt = performance.now();
  #last = "";

  constructor(output: CommandOutput, label: string) {
    this.#output = output;
    this.#label = label;
  }

  update(done: number, total: number, more = ""): void {
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const count = `${done.toLocaleString("en")} of ${total.toLocaleString("en")}`;
    const rest = more === "" ? "" : `, ${more}`;
    this.#last = `${this.#label}: ${count}${rest}`;
    if (this.#output.isLive) {
      const full = Math.round(share * cells);
      const { green, dim } = this.#output.noteColor;
      const bar = `${green("█".repeat(full))}${dim("░".repeat(cells - full))}`;
      this.#output.status(
        `${this.#label} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${count}${rest}`,
        this.#last,
      );
    } else if (performance.now() - this.#notedAt >= quietStepMs) {
      this.#notedAt = performance.now();
      this.#output.note(this.#last);
    }
  }

  /** Replaces the bar with a final line. */
  end(line = this.#last): void {
    this.#output.status("");
    if (line !== "") this.#output.note(line);
  }
}
