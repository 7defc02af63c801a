/** The other side of `PageRenderer`: renders one page after the other. It ends if one fails, or takes too long. */
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { endWithParent } from "../runtime/child-process.ts";
import type { PageInput } from "../answers/page/render-page.ts";

/** Processor time; a page of usual length takes some ten milliseconds. Elapsed time would depend on other work. */
const cpuMsMax = 3_000;
const lookMs = 100;

endWithParent();

// A thread has as much stack as it is given, and its processor time is known while it renders.
const worker = new Worker(new URL(`page-worker${extname(import.meta.filename)}`, import.meta.url), {
  resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 8 },
});
let watch: NodeJS.Timeout | undefined;

process.on("message", (input: PageInput) => void render(input));

async function render(input: PageInput): Promise<void> {
  const before = await cpuMs();
  watch = setInterval(() => void endAbove(before + cpuMsMax), lookMs);
  worker.postMessage(input, []);
}

worker.on("message", (html: string) => {
  clearInterval(watch);
  process.send?.(html);
});
// The thread has ended: an exception (a stack that was too small), or too much memory.
worker.on("error", () => process.exit(1));
worker.on("exit", () => process.exit(1));

async function endAbove(limit: number): Promise<void> {
  if ((await cpuMs()) > limit) process.exit(1);
}

/** The thread's processor time so far; 0 before it runs. */
async function cpuMs(): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return 0;
  }
}
