/** Browsers that run elsewhere, reached over the DevTools protocol. The least loaded one that responds gets the next task. */
import { backoffMs } from "../runtime/backoff.ts";
import { BrowserLostError } from "./browser-error.ts";
import type { BrowserEvent } from "./browser-settings.ts";
import { LiveBrowser } from "./local-browser.ts";

interface Endpoint {
  readonly url: string;
  live: LiveBrowser | undefined;
  connecting: Promise<LiveBrowser> | undefined;
  failures: number;
  downUntil: number;
  /** Why the last connection failed. */
  why: string;
  /** Tasks that use it, or wait for its connection. */
  active: number;
}

const connectTimeoutMs = 10_000;
const downBackoff = { firstMs: 1_000, maxMs: 60_000 };

export class BrowserFleet {
  readonly #endpoints: readonly Endpoint[];
  readonly #onEvent: (event: BrowserEvent) => void;
  readonly #onUsable: (why: string | null) => void;

  constructor(
    urls: readonly string[],
    onEvent: (event: BrowserEvent) => void,
    /** Called after each connection (null), and when none responded for a task (the reason). */
    onUsable: (why: string | null) => void,
  ) {
    this.#endpoints = urls.map((url) => ({
      url,
      live: undefined,
      connecting: undefined,
      failures: 0,
      downUntil: 0,
      why: "",
      active: 0,
    }));
    this.#onEvent = onEvent;
    this.#onUsable = onUsable;
  }

  async acquire(): Promise<LiveBrowser> {
    const tried = new Set<Endpoint>();
    for (;;) {
      const endpoint = this.#leastLoaded(tried);
      if (endpoint === undefined) {
        const why = this.#whyNone();
        this.#onUsable(why);
        throw new BrowserLostError(why);
      }
      tried.add(endpoint);
      endpoint.active++;
      try {
        const live = await this.#connected(endpoint);
        live.active++;
        live.served++;
        return live;
      } catch {
        endpoint.active--;
      }
    }
  }

  release(live: LiveBrowser): Promise<void> {
    live.active--;
    const endpoint = this.#endpoints.find(({ url }) => url === live.where);
    if (endpoint !== undefined) endpoint.active--;
    return Promise.resolve();
  }

  /** Why none is usable; null if one is connected or responds now. The connection is kept for the next task. */
  async check(): Promise<string | null> {
    if (this.#endpoints.some(({ live }) => live?.isUsable === true)) return null;
    const tried = new Set<Endpoint>();
    for (let next = this.#leastLoaded(tried); next !== undefined; next = this.#leastLoaded(tried)) {
      tried.add(next);
      try {
        await this.#connected(next);
        return null;
      } catch {
        // Try the next one.
      }
    }
    return this.#whyNone();
  }

  /** Makes sure that one responds. */
  async warmUp(): Promise<void> {
    const live = await this.acquire();
    live.served--;
    await this.release(live);
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#endpoints.map(async ({ connecting, live }) => {
        await connecting?.catch(() => undefined);
        await live?.close();
      }),
    );
  }

  /** The endpoint with the fewest contexts. Those that failed recently come last, but are not excluded, because all may have failed. */
  #leastLoaded(tried: ReadonlySet<Endpoint>): Endpoint | undefined {
    const now = performance.now();
    return this.#endpoints
      .filter((endpoint) => !tried.has(endpoint))
      .toSorted((a, b) => Number(a.downUntil > now) - Number(b.downUntil > now) || a.active - b.active)[0];
  }

  async #connected(endpoint: Endpoint): Promise<LiveBrowser> {
    if (endpoint.live?.isUsable === true) return endpoint.live;
    endpoint.connecting ??= this.#connect(endpoint).finally(() => (endpoint.connecting = undefined));
    return endpoint.connecting;
  }

  async #connect(endpoint: Endpoint): Promise<LiveBrowser> {
    try {
      const { chromium } = await import("playwright-core");
      const browser = await chromium.connectOverCDP(endpoint.url, { timeout: connectTimeoutMs });
      const live = new LiveBrowser({
        browser,
        where: endpoint.url,
        pid: null,
        // Over this protocol it closes the connection, not the browser.
        kill: () => browser.close(),
      });
      void live.lost.then(({ message }) => {
        this.#down(endpoint, message);
        this.#onEvent({ event: "browser.lost", where: shown(endpoint.url), tasks: live.active, why: message });
      });
      endpoint.live = live;
      endpoint.failures = 0;
      this.#onEvent({ event: "browser.connected", endpoint: shown(endpoint.url), version: browser.version() });
      this.#onUsable(null);
      return live;
    } catch (error) {
      this.#down(endpoint, error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
      throw error;
    }
  }

  #whyNone(): string {
    const faults = this.#endpoints.map(({ url, why }) => `${shown(url)}: ${why}`);
    return `None of the browsers of QUERENT_BROWSER_ENDPOINTS answers. ${faults.join("; ")}.`;
  }

  #down(endpoint: Endpoint, why: string): void {
    endpoint.why = why;
    endpoint.downUntil = performance.now() + backoffMs(++endpoint.failures, downBackoff);
    this.#onEvent({ event: "browser.endpoint_down", endpoint: shown(endpoint.url), why });
  }
}

/** Omits what may be secret: a path or a query often contains a token. */
function shown(url: string): string {
  return URL.parse(url)?.host ?? "an address that can't be read";
}
