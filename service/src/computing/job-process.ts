/** The other side of `computeInProcess`: runs one job. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { endWithParent, yieldToService } from "../runtime/child-process.ts";
import { InputTooLarge, NotComputable, type Job, type FromProcess, type ToProcess } from "./job.ts";
import { PieceWriter, ResultTooLarge } from "./piece-writer.ts";

/** How often the process looks whether the service is still there. */
const lookMs = 100;

interface Input {
  readonly pages: string[];
  end: "complete" | "too_large" | null;
  wake: () => void;
}

const inputs = new Map<number, Input>();

endWithParent();
yieldToService();

process.on("message", (message: ToProcess) => {
  if ("module" in message) return void run(message);
  const input = inputs.get(message.of);
  if (input === undefined) return;
  if ("page" in message) input.pages.push(message.page);
  else input.end = message.end;
  input.wake();
});

async function run({ module, input }: { module: string; input: unknown }): Promise<void> {
  try {
    const { job } = (await import(module)) as { job: Job<unknown> };
    const result = new PieceWriter((piece) => reply({ piece }));
    let since = performance.now();
    for await (const piece of job.run(input, read)) {
      if (typeof piece === "string") result.write(piece);
      if (performance.now() - since < lookMs) continue;
      await nextTurn();
      since = performance.now();
    }
    result.end();
    reply({ end: "complete" });
  } catch (error) {
    if (error instanceof ResultTooLarge) reply({ end: "result_too_large" });
    else if (error instanceof InputTooLarge) reply({ end: "input_too_large" });
    else if (isOfMemory(error)) reply({ end: "memory" });
    else if (error instanceof NotComputable) reply({ notComputable: error.item, sentence: error.message });
    else reply({ error });
  }
}

async function* read(name: string, of?: unknown): AsyncGenerator<string, void, void> {
  const number = inputs.size + 1;
  const input: Input = { pages: [], end: null, wake: () => undefined };
  inputs.set(number, input);
  reply({ read: number, name, of });
  try {
    for (;;) {
      const page = input.pages.shift();
      if (page !== undefined) {
        reply({ taken: number });
        yield page;
      } else if (input.end !== null) {
        if (input.end === "too_large") throw new InputTooLarge(name);
        return;
      } else await new Promise<void>((resolve) => (input.wake = resolve));
    }
  } finally {
    input.pages.length = 0;
    if (input.end === null) reply({ left: number });
  }
}

/** What V8 throws in place of ending the process: a string, an array or a map can't be as long. */
const isOfMemory = (error: unknown) =>
  error instanceof RangeError &&
  /Invalid (string|array|typed array) length|size exceeded|allocation failed/i.test(error.message);

const reply = (message: FromProcess) => process.send?.(message);
