/** What is stored of an answer in addition to the result: the platform's original bytes, and the reported consumption. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Consumption, KeptConsumption } from "../kernel/consumption.ts";
import type { RawAnswer } from "../platforms/platform.ts";
import { factCharsMax, rawBytesMax } from "./bounds.ts";
import { oneLine, piecesOf, storableText } from "./text.ts";

export interface StoredRaw {
  readonly mediaType: string;
  /** The body; null if it was longer than the maximum. */
  readonly body: string | null;
}

/** Stored completely or not at all: a parser would make an incomplete result of an incomplete answer. */
export async function keptRaw(raw: RawAnswer): Promise<StoredRaw> {
  const body = raw.body.length > rawBytesMax ? null : storableText(raw.body);
  return {
    mediaType: oneLine(raw.mediaType, factCharsMax),
    body: body === null || !(await fits(body)) ? null : body,
  };
}

/** Whether it has at most the maximum of bytes. A long text is counted in pieces. */
async function fits(body: string): Promise<boolean> {
  // A UTF-16 code unit takes at most three bytes.
  if (body.length * 3 <= rawBytesMax) return true;
  let bytes = 0;
  for (const piece of piecesOf(body, 1024 * 1024)) {
    bytes += Buffer.byteLength(piece);
    await nextTurn();
  }
  return bytes <= rawBytesMax;
}

/** Impossible figures count as not reported. */
export function keptConsumption(reported: Consumption | null): KeptConsumption | null {
  if (reported === null) return null;
  const inputTokens = count(reported.inputTokens);
  const cachedTokens = count(reported.cachedTokens ?? null);
  const kept = {
    inputTokens,
    outputTokens: count(reported.outputTokens),
    searches: count(reported.searches),
    cachedTokens: (cachedTokens ?? 0) > (inputTokens ?? 0) ? null : cachedTokens,
    statedUsd: amount(reported.statedUsd ?? null),
  };
  return Object.values(kept).every((figure) => figure === null) ? null : kept;
}

const countMax = 2 ** 31 - 1;
const usdMax = 1_000_000;
/** The unit in which xAI states costs; nobody states smaller ones. */
const ticksPerUsd = 1e10;
const amount = (usd: number | null): number | null =>
  usd !== null && usd >= 0 && usd <= usdMax ? Math.round(usd * ticksPerUsd) / ticksPerUsd : null;
const count = (figure: number | null): number | null =>
  figure !== null && Number.isInteger(figure) && figure >= 0 && figure <= countMax ? figure : null;
