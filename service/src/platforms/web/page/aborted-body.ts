/**
 * The bodies of responses that Chromium reports as aborted. That is one in three of the streamed answers that a page has read to their end,
 * and two in three on a busy machine. Chromium gives no whole body then, but still what it has received.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Page, Request } from "playwright-core";

/** The bytes that were received. Null: it was not aborted, nothing is kept any more, or the page has closed. */
export type ReadAborted = (request: Request) => Promise<Buffer | null>;

const aborted = "net::ERR_ABORTED";
const bodyBytesMax = 8 * 1024 * 1024;
/** Bounds what is remembered of a page that aborts without end. */
const requestsMax = 2000;
/** Playwright and this session hear of an abort one after the other. Only Playwright hears of those in frames with a process of their own. */
const heardWithinMs = 2000;
const lookEveryMs = 50;

export const isAborted = (request: Request): boolean => request.failure()?.errorText === aborted;

/** Remembers the aborted requests for which `isWanted` holds. Call it before the page is opened, and before listeners that read what failed. */
export async function watchAborted(
  page: Page,
  isWanted: (url: string, method: string) => boolean,
): Promise<ReadAborted> {
  const session = await page.context().newCDPSession(page);
  // There is no identifier that both know: of one method and URL, both hear in the same order.
  const wanted = new Map<string, string>();
  const aborts = new Map<string, { readonly ids: string[]; requests: number }>();
  const places = new WeakMap<
    Request,
    { readonly ids: readonly string[]; readonly index: number; readonly until: number }
  >();
  let left = requestsMax;
  const abortsOf = (key: string) => {
    const known = aborts.get(key) ?? { ids: [], requests: 0 };
    aborts.set(key, known);
    return known;
  };
  session.on("Network.requestWillBeSent", ({ requestId, request: { url, method } }) => {
    if (isWanted(url, method)) wanted.set(requestId, keyOf(url, method));
  });
  session.on("Network.loadingFinished", ({ requestId }) => void wanted.delete(requestId));
  session.on("Network.loadingFailed", ({ requestId, errorText }) => {
    const key = wanted.get(requestId);
    wanted.delete(requestId);
    if (key !== undefined && errorText === aborted && left-- > 0) abortsOf(key).ids.push(requestId);
  });
  page.on("requestfailed", (request) => {
    if (!isAborted(request) || !isWanted(request.url(), request.method()) || left <= 0) return;
    const known = abortsOf(keyOf(request.url(), request.method()));
    places.set(request, { ids: known.ids, index: known.requests++, until: performance.now() + heardWithinMs });
  });
  await session.send("Network.enable", { maxResourceBufferSize: bodyBytesMax, maxTotalBufferSize: 4 * bodyBytesMax });

  return async (request) => {
    const place = places.get(request);
    if (place === undefined) return null;
    const { ids, index, until } = place;
    while (ids[index] === undefined && performance.now() < until) await pause(lookEveryMs);
    const requestId = ids[index];
    if (requestId === undefined) return null;
    const kept = await session.send("Network.streamResourceContent", { requestId }).catch(() => null);
    return kept === null || kept.bufferedData === "" ? null : Buffer.from(kept.bufferedData, "base64");
  };
}

const keyOf = (url: string, method: string) => `${method} ${url.replace(/#.*$/s, "")}`;
