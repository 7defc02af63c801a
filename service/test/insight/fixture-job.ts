/** A job that does what a test tells it to. */
import { InputTooLarge, NotComputable, type Job } from "../../src/computing/job.ts";

export type FixtureInput =
  /** Ends only with its process: no step of it is ever over. */
  | { readonly does: "spin" }
  /** Writes so many MiB, one at a time. */
  | { readonly does: "write"; readonly mebibytes: number }
  /** Reads an input to its end, and writes how many characters there were. */
  | { readonly does: "read"; readonly name: string }
  | { readonly does: "refuse" };

export const job: Job<FixtureInput> = {
  module: import.meta.url,
  async *run(input, read) {
    if (input.does === "spin") for (;;);
    else if (input.does === "write")
      for (let written = 0; written < input.mebibytes; written++) yield "€".repeat(2 ** 20 / 3) + "x";
    else if (input.does === "read") {
      let chars = 0;
      for await (const page of read(input.name)) {
        chars += page.length;
        yield;
      }
      yield String(chars);
    } else
      throw new NotComputable({ pointer: "?measure", code: "not_allowed", detail: "It is a ratio." }, "No figure.");
  },
};

/** An input without an end, or of more than may be read. */
export async function* endless(count = Infinity, onPage?: (page: number) => void): AsyncGenerator<string, void, void> {
  for (let page = 1; page <= count; page++) {
    onPage?.(page);
    yield "x".repeat(1000);
    // As a database that answers.
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new InputTooLarge("answers");
}
