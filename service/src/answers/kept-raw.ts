/** What is stored of an answer in addition to the result: the platform's original bytes, and the reported consumption. */
import type { Consumption, RawAnswer } from "../platforms/platform.ts";
import { factCharsMax, rawBytesMax } from "./bounds.ts";
import { oneLine, startOfBytes, storableText } from "./text.ts";

export interface StoredRaw {
  readonly mediaType: string;
  /** Null: it was longer than the maximum. */
  readonly body: string | null;
}

/** Stored completely or not at all: a parser would make an incomplete result of an incomplete answer. */
export function keptRaw(raw: RawAnswer): StoredRaw {
  const body = raw.body.length > rawBytesMax ? null : storableText(raw.body);
  return {
    mediaType: oneLine(raw.mediaType, factCharsMax),
    body: body === null || startOfBytes(body, rawBytesMax) !== body ? null : body,
  };
}

/** Impossible figures count as not reported. */
export function keptConsumption(reported: Consumption | null): Consumption | null {
  if (reported === null) return null;
  const { inputTokens, outputTokens, searches } = reported;
  const kept = { inputTokens: count(inputTokens), outputTokens: count(outputTokens), searches: count(searches) };
  return Object.values(kept).every((figure) => figure === null) ? null : kept;
}

const countMax = 2 ** 31 - 1;
const count = (figure: number | null): number | null =>
  figure !== null && Number.isInteger(figure) && figure >= 0 && figure <= countMax ? figure : null;
