/** A worker's browser: whether this process can use one, what it reports to the other workers, and which tasks it leaves to them. */
import { BrowserWatch, type BrowserEvent, type BrowserPool } from "../browser/index.ts";
import type { Database } from "../db/index.ts";
import {
  browserElsewhere,
  browserMemorySeconds,
  isElsewhere,
  reportBrowser,
  type BrowserElsewhere,
} from "../dispatch/index.ts";
import type { BrowserAccess } from "../tasks/index.ts";

interface WorkerBrowserDeps {
  readonly database: Database;
  readonly pool: Pick<BrowserPool, "check" | "warmUp">;
  /** No other process can use this database. */
  readonly alone: boolean;
  readonly onEvent: (event: BrowserEvent) => void;
  readonly onFault: (error: unknown) => void;
}

/** The worker that uses it. */
interface WorkerNode {
  /** Empty while it has no lease. */
  readonly nodeId: () => string;
  /** Called when it changes what this worker can do, or leaves to others. */
  readonly onChange: () => void;
}

/** As often as a node's lease is renewed. */
const reportEveryMs = 5_000;

export class WorkerBrowser implements BrowserAccess {
  readonly #deps: WorkerBrowserDeps;
  readonly #watch: BrowserWatch;
  #node: WorkerNode | undefined;
  /** When a browser was last started or connected. */
  #startedAt = Number.NEGATIVE_INFINITY;
  #elsewhere: BrowserElsewhere = new Set();
  #wasLeft = "";
  #reporting: Promise<void> | undefined;
  #reportAgain = false;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(deps: WorkerBrowserDeps) {
    this.#deps = deps;
    let wasUsable: boolean | undefined;
    this.#watch = new BrowserWatch({
      check: (signal) => deps.pool.check(signal),
      onChange: (why) => {
        if (why !== null) deps.onEvent({ event: "browser.unusable", why });
        else if (wasUsable === false) deps.onEvent({ event: "browser.usable" });
        wasUsable = why === null;
        this.#report();
      },
    });
  }

  /** Looks for a browser, in the background. */
  look(node: WorkerNode): void {
    this.#node = node;
    this.#watch.start();
  }

  /** Called once the worker has its lease: reports to the other workers periodically. */
  start(): void {
    this.#report();
  }

  async stop(): Promise<void> {
    await this.#watch.stop();
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#reporting;
  }

  /** Called by the pool: one was started (null), or none could be. */
  note(why: string | null): void {
    if (why === null) this.#startedAt = performance.now();
    this.#watch.tell(why);
  }

  /** Why no browser is usable, in a sentence for the operator; waits for the first check. */
  async whyNone(): Promise<string | null> {
    await this.#watch.known();
    return this.#watch.why ?? null;
  }

  isUsable(): boolean {
    return this.#watch.why === null;
  }

  async ready(signal: AbortSignal): Promise<boolean> {
    await this.#watch.known();
    signal.throwIfAborted();
    if (!this.isUsable()) return false;
    try {
      await this.#deps.pool.warmUp(signal);
      return true;
    } catch {
      signal.throwIfAborted();
      return false;
    }
  }

  async isExpected(platform: string): Promise<boolean> {
    const nodeId = this.#node?.nodeId() ?? "";
    return this.#isExpectedHere() || isElsewhere(await browserElsewhere(this.#deps.database, nodeId), platform);
  }

  /** Why no browser is usable here; null if one is; undefined until the first check. */
  get why(): string | null | undefined {
    return this.#watch.why;
  }

  /**
   * True while this worker has no usable browser, but another one that asks this platform has, or this one had a moment ago:
   * tasks that need one wait for that.
   */
  areLeft(platform: string): boolean {
    return typeof this.why === "string" && (isElsewhere(this.#elsewhere, platform) || this.#isExpectedHere());
  }

  #isExpectedHere(): boolean {
    return performance.now() - this.#startedAt < browserMemorySeconds * 1000;
  }

  #report(): void {
    if (this.#reporting !== undefined) {
      this.#reportAgain = true;
      return;
    }
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#reportAgain = false;
    this.#reporting = this.#reportNow()
      .catch(this.#deps.onFault)
      .finally(() => {
        this.#reporting = undefined;
        if (this.#reportAgain) this.#report();
        else if (!this.#stopped) this.#timer = setTimeout(() => this.#report(), reportEveryMs);
      });
  }

  async #reportNow(): Promise<void> {
    const { database, alone } = this.#deps;
    const { why } = this.#watch;
    const nodeId = this.#node?.nodeId() ?? "";
    if (nodeId === "" || why === undefined) return;
    // Here, tasks wait for a browser that ran a moment ago. Those that another worker has taken wait for it, too.
    await reportBrowser(database, { nodeId, why: this.#isExpectedHere() ? null : why }, alone);
    this.#elsewhere = why === null ? new Set() : await browserElsewhere(database, nodeId);
    const left = JSON.stringify([why === null, this.#isExpectedHere(), [...this.#elsewhere].toSorted()]);
    if (left !== this.#wasLeft) {
      this.#wasLeft = left;
      this.#node?.onChange();
    }
  }
}
