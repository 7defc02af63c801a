import type { JsonObject } from "./json.ts";

/** The one document that the pieces of a stream make. */
export interface Assembled {
  readonly document: JsonObject;
  /** False when the stream stopped before it said that it was at its end. */
  readonly complete: boolean;
}
