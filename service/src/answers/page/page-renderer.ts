import { extname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { PageInput } from "./render-page.ts";

/** Processor time; a page of usual length takes some ten milliseconds. Elapsed time would depend on other work. */
const cpuMsMax = 3_000;
const wallMsMax = 30_000;
const lookMs = 100;
const idleMs = 30_000;

interface Job {
  readonly input: PageInput;
  readonly done: (html: string) => void;
}

/**
 * Renders answer pages in a thread. A parser takes minutes for some Markdown, and some is nested deeper than its stack allows:
 * here this delays nobody, and the page shows the text as it is.
 */
export class PageRenderer {
  readonly #waiting: Job[] = [];
  #worker: Worker | null = null;
  #current: Job | null = null;
  #timer: NodeJS.Timeout | undefined;

  render(input: PageInput): Promise<string> {
    return new Promise((done) => {
      this.#waiting.push({ input, done });
      this.#next();
    });
  }

  /** Ends the thread. Pages that are still wanted are rendered as plain text. */
  async stop(): Promise<void> {
    for (const { input, done } of this.#waiting.splice(0)) done(await plainPage(input));
    await this.#giveUp();
  }

  #next(): void {
    if (this.#current !== null) return;
    const job = this.#waiting.shift();
    clearTimeout(this.#timer);
    if (job === undefined) {
      this.#timer = setTimeout(() => void this.#giveUp(), idleMs).unref();
      return;
    }
    this.#current = job;
    const worker = this.#start();
    worker.postMessage(job.input, []);
    void this.#watch(worker, job);
  }

  #start(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(new URL(`page-worker${extname(import.meta.filename)}`, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 8 },
      execArgv: ["--disable-warning=ExperimentalWarning"],
    });
    worker.unref();
    worker.on("message", (html: string) => {
      // The page of a thread that was given up is not that of the current job.
      if (worker !== this.#worker) return;
      const job = this.#current;
      this.#current = null;
      job?.done(html);
      this.#next();
    });
    // The thread has ended: an exception (a stack that was too small), or too much memory.
    worker.on("error", () => void this.#giveUp(worker));
    worker.on("exit", () => void this.#giveUp(worker));
    this.#worker = worker;
    return worker;
  }

  /** Ends the thread if it takes too long for this page. */
  async #watch(worker: Worker, job: Job): Promise<void> {
    const started = performance.now();
    const before = await cpuMs(worker);
    while (this.#current === job) {
      await pause(lookMs, undefined, { ref: false });
      if (this.#current !== job) return;
      if ((await cpuMs(worker)) - before > cpuMsMax || performance.now() - started > wallMsMax)
        return this.#giveUp(worker);
    }
  }

  /** Ends the thread, and renders its page as plain text. */
  async #giveUp(worker = this.#worker): Promise<void> {
    if (worker !== this.#worker) return;
    clearTimeout(this.#timer);
    this.#worker = null;
    const job = this.#current;
    this.#current = null;
    const terminated = worker?.terminate();
    if (job !== null) {
      job.done(await plainPage(job.input));
      if (this.#waiting.length > 0) this.#next();
    }
    await terminated;
  }
}

/** Usually only the thread renders, so this one does not load what is necessary for it before. */
async function plainPage(input: PageInput): Promise<string> {
  const { renderPage } = await import("./render-page.ts");
  return renderPage(input, { plain: true });
}

/** The thread's processor time so far; 0 while it is not running. */
async function cpuMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return 0;
  }
}
