/** Platforms that answer over model APIs. */
export { apiPlatform, type ApiPlatformOptions } from "./api-platform.ts";
export { efforts, type Effort, type Upstream, type Vendor } from "./vendor.ts";
export { vendorOf, vendors } from "./vendors/index.ts";
export type { Step } from "./wire/exchange.ts";
export { completeUpstream, type UpstreamChange } from "./complete-upstream.ts";
