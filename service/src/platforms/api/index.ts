/** Platforms that answer over model APIs. */
export { apiPlatform, type ApiStep, type UpstreamFailure } from "./api-platform.ts";
export { completeUpstream, type UpstreamChange } from "./complete-upstream.ts";
export { efforts, type Upstream } from "./vendor.ts";
export { vendors } from "./vendors/index.ts";
