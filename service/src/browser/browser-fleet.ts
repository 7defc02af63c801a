/** Browsers that run elsewhere, reached over the DevTools protocol: the least loaded of those that answer gets the next task. */
import { BrowserLostError } from "./browser-error.ts";
import type { BrowserEvent } from "./browser-settings.ts";
import { LiveBrowser } from "./live-browser.ts";

interface Endpoint {
  readonly url: string;
  live: LiveBrowser | undefined;
  connecting: Promise<LiveBrowser> | undefined;
  failures: number;
  downUntil: number;
  /** Tasks that have it, or wait for its connection. */
  active: number;
}

const connectTimeoutMs = 10_000;
const downFirstMs = 1_000;
const downLastMs = 60_000;

export class BrowserFleet {
  readonly #endpoints: readonly Endpoint[];
  readonly #onEvent: (event: BrowserEvent) => void;

  constructor(urls: readonly string[], onEvent: (event: BrowserEvent) => void) {
    this.#endpoints = urls.map((url) => ({
      url,
      live: undefined,
      connecting: undefined,
      failures: 0,
      downUntil: 0,
      active: 0,
    }));
    this.#onEvent = onEvent;
  }

  async acquire(): Promise<LiveBrowser> {
    const tried = new Set<Endpoint>();
    for (;;) {
      const endpoint = this.#leastLoaded(tried);
      if (endpoint === undefined)
        throw new BrowserLostError("None of the browsers of QUERENT_BROWSER_ENDPOINTS answers.");
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

  async close(): Promise<void> {
    await Promise.all(
      this.#endpoints.map(async ({ connecting, live }) => {
        await connecting?.catch(() => undefined);
        await live?.close();
      }),
    );
  }

  /** Those that were down of late come last, rather than never: all may have been. */
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
        // Over this protocol it ends the connection, not the browser.
        kill: () => browser.close(),
      });
      void live.lost.then(({ message }) => {
        this.#down(endpoint, message);
        this.#onEvent({ event: "browser.lost", where: shown(endpoint.url), tasks: live.active, why: message });
      });
      endpoint.live = live;
      endpoint.failures = 0;
      this.#onEvent({ event: "browser.connected", endpoint: shown(endpoint.url), version: browser.version() });
      return live;
    } catch (error) {
      this.#down(endpoint, error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
      throw error;
    }
  }

  #down(endpoint: Endpoint, why: string): void {
    endpoint.downUntil = performance.now() + Math.min(downLastMs, downFirstMs * 2 ** endpoint.failures++);
    this.#onEvent({ event: "browser.endpoint_down", endpoint: shown(endpoint.url), why });
  }
}

/** Without what may be a secret: a path or a query often holds a token. */
function shown(url: string): string {
  return URL.parse(url)?.host ?? "an address that can't be read";
}
