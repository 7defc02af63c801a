import type { ChildProcess } from "node:child_process";
import { endChild, sendToChild, startChild } from "../../kernel/child-process.ts";
import type { PageInput } from "./render-page.ts";

/** For one page. The process ends itself much earlier, by its processor time. */
const pageMsMax = 30_000;
const idleMs = 30_000;

interface Job {
  readonly input: PageInput;
  readonly done: (html: string | Promise<string>) => void;
}

/**
 * Renders answer pages in a process. A parser takes minutes or gigabytes for some Markdown, and some is nested deeper than its
 * stack allows: here this delays nobody, and the page shows the text as it is.
 */
export class PageRenderer {
  readonly #waiting: Job[] = [];
  #child: ChildProcess | null = null;
  #current: Job | null = null;
  #timer: NodeJS.Timeout | undefined;

  render(input: PageInput): Promise<string> {
    return new Promise((done) => {
      this.#waiting.push({ input, done });
      this.#next();
    });
  }

  /** Ends the process. Pages that are still wanted are rendered as plain text. */
  async stop(): Promise<void> {
    for (const { input, done } of this.#waiting.splice(0)) done(plainPage(input));
    await this.#giveUp();
  }

  #next(): void {
    if (this.#current !== null) return;
    const job = this.#waiting.shift();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#giveUp(), job === undefined ? idleMs : pageMsMax);
    if (job === undefined) return;
    this.#current = job;
    try {
      this.#child ??= this.#start();
    } catch {
      // For example, the system has no memory for another process.
      void this.#giveUp();
      return;
    }
    sendToChild(this.#child, job.input);
  }

  #start(): ChildProcess {
    const child = startChild({ module: new URL("page-process", import.meta.url), errors: "ignore" });
    child.on("message", (html: string) => {
      // The page of a process that was given up is not that of the current job.
      if (child !== this.#child) return;
      const job = this.#current;
      this.#current = null;
      job?.done(html);
      this.#next();
    });
    child.on("error", () => void this.#giveUp(child));
    child.on("exit", () => void this.#giveUp(child));
    return child;
  }

  /** Ends the process, and renders its page as plain text. */
  async #giveUp(child = this.#child): Promise<void> {
    if (child !== this.#child) return;
    clearTimeout(this.#timer);
    this.#child = null;
    const job = this.#current;
    this.#current = null;
    job?.done(plainPage(job.input));
    if (this.#waiting.length > 0) this.#next();
    if (child !== null) await endChild(child);
  }
}

/** Usually only the process renders, so this one does not load what is necessary for it before. */
async function plainPage(input: PageInput): Promise<string> {
  const { renderPage } = await import("./render-page.ts");
  return renderPage(input, { plain: true });
}
