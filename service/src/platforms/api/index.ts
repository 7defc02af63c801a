/** Platforms that answer over model APIs. */
export { apiPlatform, keyOf, type ApiPlatform, type ApiStep, type UpstreamFailure } from "./api-platform.ts";
export { endingWords, formsOfResponses } from "./body/endings.ts";
export { completeUpstream, type UpstreamChange } from "./requests/upstream-support.ts";
export { isListed, listModels, type ModelList } from "./requests/list-models.ts";
export { efforts, type Upstream } from "./vendor.ts";
export { vendors } from "./vendors/index.ts";
export { keyedUpstream, testKey } from "./test-key.ts";
export { vendorOf } from "./requests/upstream-support.ts";
