/** Platforms that answer over model APIs. */
export { apiPlatform, keyOf, type ApiPlatform, type ApiStep, type UpstreamFailure } from "./api-platform.ts";
export { endingWords, formsOfResponses } from "./body/endings.ts";
export { completeUpstream, type UpstreamChange } from "./requests/complete-upstream.ts";
export { documented } from "./requests/documented.ts";
export { isListed, listModels, type ModelList } from "./requests/list-models.ts";
export { efforts, type Upstream } from "./requests/vendor.ts";
export { optionPlaces } from "./requests/option-places.ts";
export { vendors } from "./requests/vendors.ts";
