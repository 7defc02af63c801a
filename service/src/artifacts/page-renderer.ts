import type { ChildProcess } from "node:child_process";
import { endChild, sendToChild, startChild } from "../runtime/child-process.ts";
import type { PageInput } from "../answers/page/render-page.ts";

/** The limit of time for one page. The process ends itself much earlier, by its processor time. */
const pageMsMax = 30_000;
const idleMs = 30_000;

interface Job {
  readonly input: PageInput;
  readonly done: (html: string | Promise<string>) => void;
}

/** An answer page that could not be rendered, so it shows the text of the answer as it is. `why` is a sentence. */
export interface PlainPage {
  readonly taskId: string;
  readonly why: string;
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
  readonly #onPlainPage: (page: PlainPage) => void;

  constructor(onPlainPage: (page: PlainPage) => void = () => undefined) {
    this.#onPlainPage = onPlainPage;
  }

  render(input: PageInput): Promise<string> {
    return new Promise((done) => {
      this.#waiting.push({ input, done });
      this.#next();
    });
  }

  /** Ends the process. Pages that are still wanted are rendered as plain text. */
  async stop(): Promise<void> {
    for (const job of this.#waiting.splice(0)) this.#endPlain(job, stopped);
    await this.#giveUp(stopped);
  }

  #next(): void {
    if (this.#current !== null) return;
    const job = this.#waiting.shift();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#giveUp(tooSlow), job === undefined ? idleMs : pageMsMax);
    if (job === undefined) return;
    this.#current = job;
    try {
      this.#child ??= this.#start();
    } catch (error) {
      // The system may have no memory for another process.
      void this.#giveUp(notStarted(error));
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
    child.on("error", (error) => void this.#giveUp(notStarted(error), child));
    child.on("exit", (_code, signal) => void this.#giveUp(signal === null ? failed : endedBy(signal), child));
    return child;
  }

  /** Ends the process, and renders its page as plain text. */
  async #giveUp(why: string, child = this.#child): Promise<void> {
    if (child !== this.#child) return;
    clearTimeout(this.#timer);
    this.#child = null;
    const job = this.#current;
    this.#current = null;
    if (job !== null) this.#endPlain(job, why);
    if (this.#waiting.length > 0) this.#next();
    if (child !== null) await endChild(child);
  }

  #endPlain({ input, done }: Job, why: string): void {
    done(plainPage(input));
    this.#onPlainPage({ taskId: input.taskId, why });
  }
}

const stopped = "The service stopped.";
const tooSlow = `Its process did not render it within ${pageMsMax / 1000} seconds.`;
const failed = "Rendering it failed, or took too much processor time or memory.";
const notStarted = (error: unknown) =>
  `The process that renders pages could not be started: ${error instanceof Error ? error.message : String(error)}`;
const endedBy = (signal: string) => `The process that renders pages was ended by ${signal}.`;

/** Usually only the process renders, so this one does not load what is necessary for it before. */
async function plainPage(input: PageInput): Promise<string> {
  const { renderPage } = await import("../answers/page/render-page.ts");
  return renderPage(input, { plain: true });
}
