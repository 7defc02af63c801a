/**
 * The browser interface for the rest of the service: it provides a new context with limited network access for the duration of
 * some work. Nothing is started before the first call. However the work ends, its context, pages, connections and proxy end
 * with it.
 */
import { randomBytes } from "node:crypto";
import type { BrowserContext, BrowserContextOptions } from "playwright-core";
import { EgressGuard } from "../egress/index.ts";
import { BrowserFleet } from "./browser-fleet.ts";
import { BrowserLostError } from "./browser-error.ts";
import type { BrowserEvent, BrowserSettings } from "./browser-settings.ts";
import type { CountryProxy } from "./country-proxy.ts";
import { EgressProxy, type Reach } from "./egress-proxy.ts";
import { type LiveBrowser, LocalBrowser } from "./local-browser.ts";
import { late, within } from "../kernel/within.ts";
import { availableParallelism } from "node:os";
import { usableMemory } from "../runtime/usable-memory.ts";

export interface BrowserPoolOptions {
  readonly settings: BrowserSettings;
  readonly onEvent: (event: BrowserEvent) => void;
  /** Called whenever a browser was started or connected (null), and whenever none could be (the reason). */
  readonly onUsable?: (why: string | null) => void;
  /** The service's own ports, which no page may reach regardless of what the operator allows. */
  readonly refuse?: (address: string, port: number) => boolean;
  readonly headed?: boolean;
  /** A browser is replaced after this number of tasks. */
  readonly tasksMax?: number;
  readonly memoryBytesMax?: number;
  readonly idleMs?: number;
  readonly guard?: EgressGuard;
}

export interface ContextNeeds {
  readonly reach: Reach;
  /** The country from which its pages are visited, one of those with a proxy; by default, where this machine is. */
  readonly country?: string;
  /** Who requests it; calls without a requester count as one. */
  readonly requester?: Requester;
  /** What a page can learn about its user. */
  readonly context?: Pick<
    BrowserContextOptions,
    | "storageState"
    | "viewport"
    | "locale"
    | "timezoneId"
    | "geolocation"
    | "colorScheme"
    | "deviceScaleFactor"
    | "javaScriptEnabled"
  >;
}

export interface GuardedContext {
  readonly context: BrowserContext;
  /** Hosts that its pages requested and that were refused, with the reason. */
  readonly refused: ReadonlyMap<string, string>;
}

/** How long the end of a browser may be told after the error of a page in it. */
const lossToldWithinMs = 5_000;

/** How long closing a context may take; after that it ends with its browser. */
const closeTimeoutMs = 5_000;

export class BrowserPool {
  readonly contextsMax: number;
  readonly #settings: BrowserSettings;
  readonly #source: LocalBrowser | BrowserFleet;
  readonly #guard: EgressGuard;
  #inUse = 0;
  readonly #queue = new FairQueue();
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(options: BrowserPoolOptions) {
    const { settings, onEvent, onUsable = () => undefined } = options;
    this.#settings = settings;
    this.contextsMax = settings.contextsMax ?? defaultContextsMax() * Math.max(1, settings.endpoints.length);
    this.#guard =
      options.guard ??
      new EgressGuard({
        allow: settings.egressAllow.join(","),
        allowVariable: "QUERENT_BROWSER_EGRESS_ALLOW",
        ...(options.refuse === undefined ? {} : { refuse: options.refuse }),
      });
    this.#source =
      settings.endpoints.length > 0
        ? new BrowserFleet(settings.endpoints, onEvent, onUsable)
        : new LocalBrowser({
            settings,
            onEvent,
            onUsable,
            headed: options.headed ?? false,
            tasksMax: options.tasksMax ?? 100,
            memoryBytesMax: options.memoryBytesMax ?? defaultMemoryMax(this.contextsMax),
            idleMs: options.idleMs ?? 60_000,
          });
  }

  /** Contexts in use. */
  get inUse(): number {
    return this.#inUse;
  }

  /**
   * Runs `work` in a new context, after waiting for capacity; accounts are served in turn. Throws what `work` throws,
   * `BrowserLostError` if the browser ended meanwhile, `BrowserMissingError` if there is none, and `signal`'s reason if it
   * aborts.
   */
  async withContext<Result>(
    signal: AbortSignal,
    needs: ContextNeeds,
    work: (guarded: GuardedContext) => Promise<Result>,
  ): Promise<Result> {
    const either = AbortSignal.any([signal, this.#closing.signal]);
    either.throwIfAborted();
    await this.#enter(either, needs.requester);
    const done = this.#run(either, needs, work);
    this.#underWay.add(done);
    try {
      return await done;
    } finally {
      this.#underWay.delete(done);
      this.#leave();
      needs.requester?.onLeft?.();
    }
  }

  /**
   * Why no browser is usable, in a sentence for the operator; null if one is. Fast, except for some seconds if the browser has
   * to be unpacked.
   */
  async check(signal: AbortSignal): Promise<string | null> {
    return aborted(signal, this.#source.check(signal), () => undefined);
  }

  /** Makes sure that a browser runs before other work is wasted. Throws as `withContext` does. */
  async warmUp(signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, this.#closing.signal]);
    await aborted(either, this.#source.warmUp(), () => undefined);
  }

  /** Aborts the work in progress, ends all browsers, and removes their files. */
  async close(): Promise<void> {
    this.#closing.abort(new BrowserLostError("The service is shutting down."));
    await Promise.allSettled(this.#underWay);
    await this.#source.close();
  }

  async #run<Result>(
    signal: AbortSignal,
    needs: ContextNeeds,
    work: (guarded: GuardedContext) => Promise<Result>,
  ): Promise<Result> {
    const live = await aborted(signal, this.#source.acquire(), (late) => void this.#source.release(late));
    try {
      return await this.#inContext(live, signal, needs, work);
    } finally {
      await this.#source.release(live);
    }
  }

  async #inContext<Result>(
    live: LiveBrowser,
    signal: AbortSignal,
    needs: ContextNeeds,
    work: (guarded: GuardedContext) => Promise<Result>,
  ): Promise<Result> {
    const { proxyHost } = this.#settings;
    const credentials = isLoopback(proxyHost)
      ? null
      : { username: "querent", password: randomBytes(24).toString("base64url") };
    await using proxy = await EgressProxy.start({
      guard: this.#guard,
      reach: needs.reach,
      onward: this.#proxyOf(needs.country),
      host: proxyHost,
      credentials,
    });
    const ended = Promise.withResolvers<never>();
    ended.promise.catch(() => undefined);
    void live.lost.then((error) => ended.reject(error));
    const onAbort = () => ended.reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
    let context: BrowserContext | undefined;
    try {
      signal.throwIfAborted();
      context = await Promise.race([
        live.browser.newContext({
          viewport: { width: 1280, height: 900 },
          ...needs.context,
          acceptDownloads: false,
          serviceWorkers: "block",
          // No permission is granted but for the position that was set, and no prompt is shown.
          permissions: needs.context?.geolocation === undefined ? [] : ["geolocation"],
          proxy: { server: proxy.address, ...credentials },
        }),
        ended.promise,
      ]);
      context.on("page", (page) =>
        page.once("crash", () => ended.reject(new BrowserLostError("The process of the page ended."))),
      );
      await Promise.race([context.addInitScript(withoutPeerConnections), ended.promise]);
      return await Promise.race([work({ context, refused: proxy.refused }), ended.promise]);
    } catch (error) {
      // Playwright's error for a page whose browser has ended does not say so; the event may follow a moment later, on a busy machine seconds.
      if (!signal.aborted && isClosedTarget(error)) await within(ended.promise, lossToldWithinMs);
      throw error;
    } finally {
      signal.removeEventListener("abort", onAbort);
      if (context !== undefined) await closeContext(context, live);
    }
  }

  #proxyOf(country: string | undefined): CountryProxy | null {
    if (country === undefined) return null;
    const proxy = this.#settings.countryProxies.get(country);
    if (proxy === undefined) throw new Error(`There is no proxy in ${country}.`);
    return proxy;
  }

  async #enter(signal: AbortSignal, requester: Requester | undefined): Promise<void> {
    if (this.#inUse < this.contextsMax) {
      this.#inUse++;
      return;
    }
    const turn = Promise.withResolvers<void>();
    const onTurn = () => turn.resolve();
    const onAbort = () => turn.reject(signal.reason as Error);
    const accountId = requester?.accountId ?? "";
    this.#queue.add(accountId, onTurn);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await (requester === undefined ? turn.promise : requester.whileQueued(turn.promise));
    } catch (error) {
      // The request was served just as it was aborted: serve the next one.
      if (!this.#queue.remove(accountId, onTurn)) this.#leave();
      throw error;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  #leave(): void {
    const next = this.#queue.next();
    if (next === undefined) this.#inUse--;
    else next();
  }
}

async function closeContext(context: BrowserContext, live: LiveBrowser): Promise<void> {
  const closed = context.close().catch(() => undefined);
  // If a context does not close, its browser is ended once it is idle.
  if ((await within(Promise.race([closed, live.lost]), closeTimeoutMs)) === late) live.retired = true;
}

/** The value of `promise`, unless the signal aborts first: then a value that arrives later is released. */
async function aborted<Value>(
  signal: AbortSignal,
  promise: Promise<Value>,
  giveBack: (late: Value) => void,
): Promise<Value> {
  const abort = Promise.withResolvers<never>();
  const onAbort = () => abort.reject(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([promise, abort.promise]);
  } catch (error) {
    if (signal.aborted) promise.then(giveBack, () => undefined);
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function isClosedTarget(error: unknown): boolean {
  return error instanceof Error && /closed|crash|disconnected|browser is gone/i.test(error.message);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** WebRTC is the only traffic that bypasses the proxy. The browser's own switch disables it too. */
const withoutPeerConnections = `for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "WebTransport"])
  delete globalThis[name];`;

/** The memory of a context with an assistant's page, and that of the browser without one. */
const contextBytes = 300 * 1024 ** 2;
const browserBytes = 400 * 1024 ** 2;

/**
 * The maximum of concurrent contexts: two per core, as pages mostly wait, within half of the memory that this process may use.
 */
function defaultContextsMax(cores = availableParallelism(), memoryBytes = usableMemory()): number {
  const byMemory = Math.floor((memoryBytes / 2 - browserBytes) / contextBytes);
  return Math.max(1, Math.min(2 * cores, byMemory, 32));
}

/** The memory at which a browser is replaced: memory that pages leak stays with its processes. */
function defaultMemoryMax(contextsMax: number): number {
  return browserBytes + (contextsMax + 2) * contextBytes;
}

/** Who requests a browser context. */
export interface Requester {
  /** Accounts are served in turn. */
  readonly accountId: string;
  /** Wraps the time in the queue, which does not count as run time. */
  readonly whileQueued: <Turn>(turn: Promise<Turn>) => Promise<Turn>;
  /** Called when the context is closed. */
  readonly onLeft?: () => void;
}

type Entry = () => void;

/** Requests for a context: accounts in turn, and first in, first out within an account. */
export class FairQueue {
  /** The waiting entries of each account, in the order in which accounts are served. */
  readonly #byAccount = new Map<string, Entry[]>();

  add(accountId: string, entry: Entry): void {
    const entries = this.#byAccount.get(accountId);
    if (entries === undefined) this.#byAccount.set(accountId, [entry]);
    else entries.push(entry);
  }

  /** Removes a request that was given up. False if it was already served. */
  remove(accountId: string, entry: Entry): boolean {
    const entries = this.#byAccount.get(accountId);
    const at = entries?.indexOf(entry) ?? -1;
    if (entries === undefined || at === -1) return false;
    entries.splice(at, 1);
    if (entries.length === 0) this.#byAccount.delete(accountId);
    return true;
  }

  /** The next request; its account goes to the end. */
  next(): Entry | undefined {
    for (const [accountId, entries] of this.#byAccount) {
      const entry = entries.shift();
      this.#byAccount.delete(accountId);
      if (entries.length > 0) this.#byAccount.set(accountId, entries);
      return entry;
    }
    return undefined;
  }
}
