/** What the operator may say about browsers. */
export interface BrowserSettings {
  /** Addresses of browsers that run elsewhere, as the DevTools protocol gives them; none: one of this machine. */
  readonly endpoints: readonly string[];
  /** A program to use and no other; null: the first that is found. */
  readonly path: string | null;
  /** Holds what has to be unpacked when the folder of the packages can't be written to. */
  readonly cacheDir: string;
  /** Contexts at once; null: from cores and memory. */
  readonly contextsMax: number | null;
  /** Ranges of addresses that pages may reach although they are not public. */
  readonly egressAllow: readonly string[];
  /** Where the proxies of pages listen: an address that the browsers can connect to. */
  readonly proxyHost: string;
}

export type BrowserEvent =
  | { readonly event: "browser.started"; readonly from: string; readonly path: string; readonly version: string }
  | { readonly event: "browser.connected"; readonly endpoint: string; readonly version: string }
  | { readonly event: "browser.passed_over"; readonly what: string; readonly why: string }
  | { readonly event: "browser.without_sandbox"; readonly path: string; readonly why: string }
  | { readonly event: "browser.unpacked"; readonly folder: string; readonly seconds: number }
  /** This process can use no browser. */
  | { readonly event: "browser.unusable"; readonly why: string }
  /** It can again. */
  | { readonly event: "browser.usable" }
  | { readonly event: "browser.retired"; readonly why: "tasks" | "memory" | "idle"; readonly tasks: number }
  | { readonly event: "browser.lost"; readonly where: string; readonly tasks: number; readonly why: string }
  | { readonly event: "browser.endpoint_down"; readonly endpoint: string; readonly why: string };
