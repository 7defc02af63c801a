export { BrowserLostError, BrowserMissingError } from "./browser-error.ts";
export { BrowserPool, type BrowserPoolOptions, type ContextNeeds, type GuardedContext } from "./browser-pool.ts";
export { BrowserWatch } from "./browser-watch.ts";
export type { BrowserEvent, BrowserSettings } from "./browser-settings.ts";
export type { CountryProxy } from "./country-proxy.ts";
export { findBrowsers, type FoundBrowsers } from "./find-browser.ts";
export { hostPattern, type HostPattern, type Reach } from "./egress-proxy.ts";
export type { Requester } from "./browser-pool.ts";
