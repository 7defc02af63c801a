import type { JsonObject } from "./json.ts";

/** The one document assembled from the pieces of a stream. */
export interface Assembled {
  readonly document: JsonObject;
  /** False if the stream ended without its end marker. */
  readonly complete: boolean;
}
