/**
 * The body of a response that Chromium reports as aborted. That is one in three of the streamed answers that a page has read to their end,
 * and two in three on a busy machine. Chromium gives no whole body then, but still what it has received.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Page, Request } from "playwright-core";

/** Null: nothing of it is kept any more, or the page has closed. */
export type ReadAborted = (request: Request) => Promise<Buffer | null>;

const bodyBytesMax = 8 * 1024 * 1024;
/** Playwright and this session hear of an abort one after the other. */
const looks = { count: 40, everyMs: 50 };

/** Remembers the last aborted request for which `isWanted` holds. Call it before the page is opened. */
export async function watchAborted(
  page: Page,
  isWanted: (url: string, method: string) => boolean,
): Promise<ReadAborted> {
  const session = await page.context().newCDPSession(page);
  const wanted = new Map<string, string>();
  let last: { readonly requestId: string; readonly key: string } | null = null;
  session.on("Network.requestWillBeSent", ({ requestId, request: { url, method } }) => {
    if (isWanted(url, method)) wanted.set(requestId, keyOf(url, method));
  });
  session.on("Network.loadingFinished", ({ requestId }) => void wanted.delete(requestId));
  session.on("Network.loadingFailed", ({ requestId, canceled }) => {
    const key = wanted.get(requestId);
    wanted.delete(requestId);
    if (key !== undefined && canceled === true) last = { requestId, key };
  });
  await session.send("Network.enable", { maxResourceBufferSize: bodyBytesMax, maxTotalBufferSize: 4 * bodyBytesMax });

  return async (request) => {
    const key = keyOf(request.url(), request.method());
    for (let look = 0; look < looks.count; look++) {
      if (last?.key === key) {
        const { requestId } = last;
        const kept = await session.send("Network.streamResourceContent", { requestId }).catch(() => null);
        return kept === null || kept.bufferedData === "" ? null : Buffer.from(kept.bufferedData, "base64");
      }
      await pause(looks.everyMs);
    }
    return null;
  };
}

const keyOf = (url: string, method: string) => `${method} ${url.replace(/#.*$/s, "")}`;
