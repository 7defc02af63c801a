/** For commands in which a person uses the browser's window, and answers in the terminal. */
import { createInterface } from "node:readline/promises";
import type { BrowserPool } from "../../browser/index.ts";
import { CommandError } from "./command-error.ts";
import { withPool } from "./with-pool.ts";

/** Runs the work with a browser whose window the person can see, and with questions in the terminal. */
export async function withWindow(
  work: (
    pool: BrowserPool,
    signal: AbortSignal,
    asking: (text: string, given?: AbortSignal) => Promise<void>,
  ) => Promise<void>,
): Promise<void> {
  await withPool(true, async (pool, signal) => {
    using lines = createInterface({ input: process.stdin, output: process.stderr });
    const closed = new Promise<never>((_resolve, reject) => {
      lines.once("close", () => reject(new CommandError("Nobody can answer here: the input has ended.")));
    });
    closed.catch(() => undefined);
    const asking = async (text: string, given?: AbortSignal) => {
      const either = given === undefined ? signal : AbortSignal.any([signal, given]);
      try {
        await Promise.race([lines.question(text, { signal: either }), closed]);
      } catch (error) {
        if (given?.aborted !== true) throw error;
        process.stderr.write("\n");
      }
    };
    await work(pool, signal, asking);
  });
}
