import type { CountryProxy } from "./country-proxy.ts";

/** The operator's settings for browsers. */
export interface BrowserSettings {
  /** DevTools URLs of browsers that run elsewhere; none: use a browser on this machine. */
  readonly endpoints: readonly string[];
  /** The only program to use; null: the first that is found. */
  readonly path: string | null;
  /** Where the browser is unpacked if the folder of the packages is not writable. */
  readonly cacheDir: string;
  /** The maximum of concurrent contexts; null: computed from cores and memory. */
  readonly contextsMax: number | null;
  /** Address ranges that pages may reach although they are not public. */
  readonly egressAllow: readonly string[];
  /** The address that the pages' proxies listen on; browsers must be able to connect to it. */
  readonly proxyHost: string;
  /** The proxy of each country through which pages see a visitor from there. */
  readonly countryProxies: ReadonlyMap<string, CountryProxy>;
}

export type BrowserEvent =
  | { readonly event: "browser.started"; readonly from: string; readonly path: string; readonly version: string }
  | { readonly event: "browser.connected"; readonly endpoint: string; readonly version: string }
  | { readonly event: "browser.passed_over"; readonly what: string; readonly why: string }
  | { readonly event: "browser.without_sandbox"; readonly path: string; readonly why: string }
  | { readonly event: "browser.unpacked"; readonly folder: string; readonly seconds: number }
  /** This process has no usable browser. */
  | { readonly event: "browser.unusable"; readonly why: string }
  /** It has one again. */
  | { readonly event: "browser.usable" }
  | { readonly event: "browser.retired"; readonly why: "tasks" | "memory" | "idle"; readonly tasks: number }
  | { readonly event: "browser.lost"; readonly where: string; readonly tasks: number; readonly why: string }
  | { readonly event: "browser.endpoint_down"; readonly endpoint: string; readonly why: string };
