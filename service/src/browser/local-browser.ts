/** The browser of this machine: started when the first task needs it, replaced after many tasks or much memory, ended when idle. */
import { unpack } from "./bundled-chromium.ts";
import { BrowserLostError, BrowserMissingError } from "./browser-error.ts";
import type { BrowserEvent, BrowserSettings } from "./browser-settings.ts";
import { findBrowsers, type BrowserProgram } from "./find-browser.ts";
import { launchBrowser, type Launched } from "./launch-browser.ts";
import { LiveBrowser } from "./live-browser.ts";
import { groupMemory } from "./process-group.ts";
import { sweepRunFolders } from "./run-folder.ts";
import { launchers, type Launcher } from "./sandbox.ts";

export interface LocalBrowserOptions {
  readonly settings: BrowserSettings;
  readonly onEvent: (event: BrowserEvent) => void;
  readonly headed: boolean;
  readonly tasksMax: number;
  readonly memoryBytesMax: number;
  readonly idleMs: number;
}

interface Way {
  readonly program: BrowserProgram;
  readonly launcher: Launcher;
}

const memoryEveryMs = 5_000;

export class LocalBrowser {
  readonly #options: LocalBrowserOptions;
  #current: Promise<LiveBrowser> | undefined;
  /** Those that still run, the retired too. */
  readonly #all = new Set<LiveBrowser>();
  /** How the last one was started: the next is started so too. */
  #way: Way | undefined;
  #idle: NodeJS.Timeout | undefined;
  #measuredAt = 0;
  #swept = false;
  #closing = false;

  constructor(options: LocalBrowserOptions) {
    this.#options = options;
  }

  async acquire(): Promise<LiveBrowser> {
    clearTimeout(this.#idle);
    for (;;) {
      // Whoever still waits for a browser that was being started would start another one otherwise, and nobody would end that.
      if (this.#closing) throw new BrowserLostError("The service is going down.");
      const current = (this.#current ??= this.#start());
      let live: LiveBrowser;
      try {
        live = await current;
      } catch (error) {
        if (this.#current === current) this.#current = undefined;
        throw error;
      }
      if (live.isUsable) {
        live.active++;
        live.served++;
        return live;
      }
      if (this.#current === current) this.#current = undefined;
    }
  }

  async release(live: LiveBrowser): Promise<void> {
    live.active--;
    if (live.isUsable) {
      if (live.served >= this.#options.tasksMax) this.#retire(live, "tasks");
      else if (await this.#isTooLarge(live)) this.#retire(live, "memory");
    }
    if (live.active > 0) return;
    if (live.retired) await live.close();
    else if (!this.#closing) {
      clearTimeout(this.#idle);
      this.#idle = setTimeout(() => {
        if (live.active > 0 || !live.isUsable) return;
        this.#retire(live, "idle");
        void live.close();
      }, this.#options.idleMs);
      this.#idle.unref();
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#idle);
    await this.#current?.catch(() => undefined);
    await Promise.all([...this.#all].map((live) => live.close()));
  }

  #retire(live: LiveBrowser, why: "tasks" | "memory" | "idle"): void {
    if (live.retired) return;
    live.retired = true;
    this.#options.onEvent({ event: "browser.retired", why, tasks: live.served });
  }

  async #isTooLarge(live: LiveBrowser): Promise<boolean> {
    if (live.pid === null || performance.now() - this.#measuredAt < memoryEveryMs) return false;
    this.#measuredAt = performance.now();
    const bytes = await groupMemory(live.pid);
    return bytes !== null && bytes > this.#options.memoryBytesMax;
  }

  async #start(): Promise<LiveBrowser> {
    if (!this.#swept) sweepRunFolders();
    this.#swept = true;
    const { launched, way } = await this.#launch();
    this.#way = way;
    const { path } = way.program;
    const live = new LiveBrowser({
      browser: launched.browser,
      where: path,
      pid: launched.pid,
      kill: async () => {
        await launched.kill();
        this.#all.delete(live);
      },
    });
    this.#all.add(live);
    void live.lost.then(({ message }) =>
      this.#options.onEvent({ event: "browser.lost", where: path, tasks: live.active, why: message }),
    );
    this.#options.onEvent({
      event: "browser.started",
      from: way.program.from,
      path,
      version: launched.browser.version(),
    });
    if (this.#closing) await live.close();
    return live;
  }

  /** Tries what was found, in order, and each in the sandbox first. What worked before is not looked for again. */
  async #launch(): Promise<{ launched: Launched; way: Way }> {
    if (this.#way !== undefined) return { launched: await this.#try(this.#way), way: this.#way };
    const found = await findBrowsers(this.#options.settings);
    const faults = found.passedOver.map(({ what, why }) => `${what}: ${why}`);
    for (const program of found.programs) {
      let whyNot = "";
      for (const launcher of launchers()) {
        try {
          const launched = await this.#try({ program, launcher });
          if (!launcher.sandboxed) {
            const why = whyNot === "" ? "there are no user namespaces for root to run it in" : whyNot;
            this.#options.onEvent({ event: "browser.without_sandbox", path: program.path, why });
          }
          return { launched, way: { program, launcher } };
        } catch (error) {
          whyNot = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
        }
      }
      faults.push(`${program.path}: ${whyNot}`);
      this.#options.onEvent({ event: "browser.passed_over", what: program.path, why: whyNot });
    }
    throw new BrowserMissingError(`There is no browser that can be used. ${faults.join("; ")}.`);
  }

  async #try({ program, launcher }: Way): Promise<Launched> {
    const { settings, headed, onEvent } = this.#options;
    const unpacked =
      "packed" in program
        ? await unpack(program, settings.cacheDir, (folder, seconds) =>
            onEvent({ event: "browser.unpacked", folder, seconds }),
          )
        : { path: program.path, folder: null };
    return launchBrowser({ launcher, ...unpacked, headed });
  }
}
