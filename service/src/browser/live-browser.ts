/** A running browser, local or remote: how busy it is, whether it still responds, and its end. */
import type { Browser, CDPSession } from "playwright-core";
import { BrowserLostError } from "./browser-error.ts";
import { late, within } from "../kernel/within.ts";

const beatEveryMs = 10_000;
/** A browser on a machine that does much else answers late, and taking it for lost costs all that it is doing. */
const beatTimeoutMs = 30_000;

export class LiveBrowser {
  readonly browser: Browser;
  /** The number of tasks that use it now, and the number that ever did. */
  active = 0;
  served = 0;
  /** Gets no more tasks. */
  retired = false;
  readonly where: string;
  /** The leader of its process group; null for a remote browser. */
  readonly pid: number | null;
  readonly #kill: () => Promise<void>;
  readonly #lost = Promise.withResolvers<BrowserLostError>();
  #isLost = false;
  #closed: Promise<void> | undefined;
  #beat: NodeJS.Timeout | undefined;
  #session: Promise<CDPSession> | undefined;

  constructor(options: { browser: Browser; where: string; pid: number | null; kill: () => Promise<void> }) {
    this.browser = options.browser;
    this.where = options.where;
    this.pid = options.pid;
    this.#kill = options.kill;
    this.browser.once("disconnected", () => this.#lose("it ended, or the connection to it did"));
    this.#beat = setInterval(() => void this.#check(), beatEveryMs);
    this.#beat.unref();
  }

  /** Resolves if it ends unexpectedly. */
  get lost(): Promise<BrowserLostError> {
    return this.#lost.promise;
  }

  get isUsable(): boolean {
    return !this.#isLost && !this.retired && this.#closed === undefined;
  }

  close(): Promise<void> {
    clearInterval(this.#beat);
    return (this.#closed ??= this.#kill());
  }

  #lose(why: string): void {
    if (this.#closed !== undefined || this.#isLost) return;
    this.#isLost = true;
    this.#lost.resolve(new BrowserLostError(`The browser was lost: ${why}.`));
    void this.close();
  }

  /** A browser that hangs is treated as lost. */
  async #check(): Promise<void> {
    this.#session ??= this.browser.newBrowserCDPSession();
    try {
      const version = this.#session.then((session) => session.send("Browser.getVersion"));
      if ((await within(version, beatTimeoutMs)) === late)
        this.#lose(`it did not answer for ${beatTimeoutMs / 1000} seconds`);
    } catch {
      // The event reports its end.
    }
  }
}
