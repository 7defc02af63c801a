/** The local browser: started when the first task needs it, replaced after many tasks or at high memory, ended when idle. */
import { existsSync } from "node:fs";
import { unpack, type Unpacked } from "./bundled-chromium.ts";
import { BrowserLostError, BrowserMissingError } from "./browser-error.ts";
import type { BrowserEvent, BrowserSettings } from "./browser-settings.ts";
import { findBrowsers, type BrowserProgram } from "./find-browser.ts";
import { launchBrowser, environment, type Launched, sweepRunFolders } from "./launch-browser.ts";
import { groupMemory } from "./process-group.ts";
import { launchers, type Launcher } from "./sandbox.ts";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import type { Browser, CDPSession } from "playwright-core";
import { late, within } from "../kernel/within.ts";

const beatEveryMs = 10_000;
/** A browser on a machine that does much else answers late, and taking it for lost costs all that it is doing. */
const beatTimeoutMs = 30_000;

/** A running browser, local or remote: how busy it is, whether it still responds, and its end. */
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

interface LocalBrowserOptions {
  readonly settings: BrowserSettings;
  readonly onEvent: (event: BrowserEvent) => void;
  /** Called whenever a browser was started (null) or could not be (the reason). */
  readonly onUsable: (why: string | null) => void;
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
  /** Running browsers, including the retired ones. */
  readonly #all = new Set<LiveBrowser>();
  /** How the last one was started; the next is started the same way. */
  #way: Way | undefined;
  /** A program that ran when its version was requested. */
  #runnable: Unpacked | { readonly path: string; readonly folder: null } | undefined;
  /** Whether a browser has failed to start. Then only a successful start shows that one is usable again. */
  #failed = false;
  /** The unpacking in progress, shared by checks and tasks. */
  #unpacking: Promise<Unpacked> | undefined;
  readonly #stopUnpacking = new AbortController();
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
      // A caller that still waits for a browser would otherwise start another one, which nobody would end.
      if (this.#closing) throw new BrowserLostError("The service is shutting down.");
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

  /**
   * Why no browser is usable; null if one is. Starts one only if that failed before; otherwise it is sufficient that a program
   * runs.
   */
  async check(signal: AbortSignal): Promise<string | null> {
    if ([...this.#all].some((live) => live.isUsable)) return null;
    if (this.#failed) return this.#checkByStarting();
    if (this.#runnable !== undefined && existsSync(this.#runnable.path)) return null;
    const found = await findBrowsers(this.#options.settings);
    const faults = found.passedOver.map(({ what, why }) => `${what}: ${why}`);
    for (const program of found.programs) {
      const why = await this.#whyNotRunnable(program, signal);
      if (why === null) return null;
      faults.push(`${program.path}: ${why}`);
    }
    return missing(faults).message;
  }

  /** Makes sure that a browser runs. Throws as `acquire` does. */
  async warmUp(): Promise<void> {
    const live = await this.acquire();
    live.served--;
    await this.release(live);
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#idle);
    this.#stopUnpacking.abort(new BrowserLostError("The service is shutting down."));
    await this.#unpacking?.catch(() => undefined);
    await this.#current?.catch(() => undefined);
    await Promise.all([...this.#all].map((live) => live.close()));
  }

  async #checkByStarting(): Promise<string | null> {
    try {
      await this.warmUp();
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  async #whyNotRunnable(program: BrowserProgram, signal: AbortSignal): Promise<string | null> {
    try {
      const unpacked = await this.#unpacked(program);
      const why = await whyNotRunnable(unpacked, signal);
      if (why === null) this.#runnable = unpacked;
      return why;
    } catch (error) {
      signal.throwIfAborted();
      return messageOf(error);
    }
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

  async #launch(): Promise<{ launched: Launched; way: Way }> {
    try {
      const started = await this.#launchAny();
      this.#failed = false;
      this.#options.onUsable(null);
      return started;
    } catch (error) {
      if (error instanceof BrowserMissingError) {
        this.#failed = true;
        this.#options.onUsable(error.message);
      }
      throw error;
    }
  }

  /**
   * Tries the programs that were found, in order, each in the sandbox first. What worked before is not searched for again while
   * it exists.
   */
  async #launchAny(): Promise<{ launched: Launched; way: Way }> {
    if (this.#way !== undefined) {
      const way = this.#way;
      try {
        return { launched: await this.#try(way), way };
      } catch (error) {
        // A program that exists and runs, and its sandbox, are not given up because one start failed.
        if ((await this.#whyNotRunnable(way.program, new AbortController().signal)) === null)
          throw missing([`${way.program.path}: ${messageOf(error)}`]);
        this.#way = undefined;
      }
    }
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
          whyNot = messageOf(error);
        }
      }
      faults.push(`${program.path}: ${whyNot}`);
      this.#options.onEvent({ event: "browser.passed_over", what: program.path, why: whyNot });
    }
    throw missing(faults);
  }

  async #try({ program, launcher }: Way): Promise<Launched> {
    return launchBrowser({ launcher, ...(await this.#unpacked(program)), headed: this.#options.headed });
  }

  async #unpacked(program: BrowserProgram): Promise<Unpacked | { readonly path: string; readonly folder: null }> {
    if (!("packed" in program)) return { path: program.path, folder: null };
    const onUnpacked = (folder: string, seconds: number) =>
      this.#options.onEvent({ event: "browser.unpacked", folder, seconds });
    this.#unpacking ??= unpack(
      program,
      this.#options.settings.cacheDir,
      onUnpacked,
      this.#stopUnpacking.signal,
    ).finally(() => (this.#unpacking = undefined));
    return this.#unpacking;
  }
}

function missing(faults: readonly string[]): BrowserMissingError {
  return new BrowserMissingError(`There is no browser that can be used. ${faults.join("; ")}.`);
}

/** The first line: Playwright appends its call log. */
function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
}

// Checks whether a program can run, by requesting its version: this reveals missing libraries without starting a browser.

/** Loading a program that is not in the disk cache takes time. */
const timeoutMs = 60_000;

/** Why the program does not run; null if it prints a version. `folder` has the libraries of a browser from the npm package. */
function whyNotRunnable(
  { path, folder }: { readonly path: string; readonly folder: string | null },
  signal: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    execFile(
      path,
      ["--version"],
      { env: environment(tmpdir(), folder), timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: 1_000_000, signal },
      (error, stdout, stderr) => {
        if (signal.aborted) reject(signal.reason as Error);
        else if (error === null)
          resolve(/\d+\.\d+/.test(stdout) ? null : "`--version` prints no version: it is not a browser");
        else resolve(reasonOf(error, stderr));
      },
    );
  });
}

function reasonOf(error: Error & { code?: unknown; killed?: boolean }, stderr: string): string {
  if (error.killed === true) return `\`--version\` did not answer within ${timeoutMs / 1000} seconds`;
  const said =
    stderr
      .trim()
      .split("\n")
      .at(-1)
      ?.replaceAll(/\p{Cc}/gu, "")
      .slice(0, 300) ?? "";
  if (said !== "") return said;
  return typeof error.code === "number"
    ? `\`--version\` ended with exit code ${error.code}`
    : `it can't be run (${typeof error.code === "string" ? error.code : "killed by a signal"})`;
}
