/** What is kept of an answer beside the result: the platform's own bytes, and what it says that the answer took. */
import type { Consumption, RawAnswer } from "../platforms/platform.ts";
import { factCharsMax, rawBytesMax } from "./bounds.ts";
import { oneLine, startOfBytes, storableText } from "./text.ts";

export interface StoredRaw {
  readonly mediaType: string;
  /** Null: there was more than is kept. */
  readonly body: string | null;
}

/** Whole or not at all: of half an answer a reader would make half a result. */
export function keptRaw(raw: RawAnswer): StoredRaw {
  const body = raw.body.length > rawBytesMax ? null : storableText(raw.body);
  return {
    mediaType: oneLine(raw.mediaType, factCharsMax),
    body: body === null || startOfBytes(body, rawBytesMax) !== body ? null : body,
  };
}

/** What a platform says in figures that can't be is as good as not said. */
export function keptConsumption(reported: Consumption | null): Consumption | null {
  if (reported === null) return null;
  const { inputTokens, outputTokens, searches } = reported;
  const kept = { inputTokens: count(inputTokens), outputTokens: count(outputTokens), searches: count(searches) };
  return Object.values(kept).every((figure) => figure === null) ? null : kept;
}

const countMax = 2 ** 31 - 1;
const count = (figure: number | null): number | null =>
  figure !== null && Number.isInteger(figure) && figure >= 0 && figure <= countMax ? figure : null;
