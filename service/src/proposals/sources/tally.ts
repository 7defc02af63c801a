import type { PromptOrigin, PromptSourceFacts } from "@querent/contract";

/** How many texts of a source were taken, and why others were not. */
export class Tally {
  readonly origin: PromptOrigin;
  #found = 0;
  readonly #leftOut: Record<string, number> = {};

  constructor(origin: PromptOrigin) {
    this.origin = origin;
  }

  leaveOut(why: string): void {
    this.#leftOut[why] = (this.#leftOut[why] ?? 0) + 1;
  }

  /** True if the text can be a prompt. It is counted either way. */
  takes(text: string, charsMax: number): boolean {
    if (text.length > charsMax) this.leaveOut("too_long");
    else if (!/[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(text)) this.leaveOut("too_short");
    else {
      this.#found++;
      return true;
    }
    return false;
  }

  get found(): number {
    return this.#found;
  }

  get facts(): PromptSourceFacts {
    return { origin: this.origin, found: this.#found, leftOut: { ...this.#leftOut } };
  }
}
