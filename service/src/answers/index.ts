/** Converts what a platform returned to our stored result. */
export { composeAds } from "./ads.ts";
export { composeResult, withArtifacts, type AnsweringPlatform } from "./compose-result.ts";
export { storedBytesOf, textOfRaw, toRawColumns, type RawColumns } from "./compressed-raw.ts";
export { keptConsumption, keptRaw, type StoredRaw } from "./kept-raw.ts";
export { mergeCards, type PlacedCard } from "./cards.ts";
export { readCards, type ReadCard } from "./read-cards.ts";
export { fontFaces, fontPath, fontStack } from "./page/fonts.ts";
export type { PageInput } from "./page/render-page.ts";
export { withProducts } from "./with-products.ts";
export { readerVersion } from "./compose-result.ts";
