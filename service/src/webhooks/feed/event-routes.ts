import { api } from "@querent/contract";
import type { AccountSemaphore } from "../../api/account-semaphore.ts";
import { route, type Route } from "../../api/route.ts";
import type { EventFeed } from "./event-feed.ts";
import { eventCursor, eventsGone, locateReader, readEvents, type ReadEventsDeps } from "./read-events.ts";

/** Limit on a page's events together: a page of large results has fewer events than requested. */
const pageBytesMax = 4 * 1024 * 1024;

export function eventRoutes(deps: ReadEventsDeps & { feed: EventFeed; streams: AccountSemaphore }): Route[] {
  return [
    route(api.listEvents, async ({ caller, query, headers, signal }) => {
      const isLive = /\btext\/event-stream\b/i.test(headers["accept"] ?? "");
      // A browser that reconnects requests the original URL, with its position in this header.
      const lastEventId = isLive ? (headers["last-event-id"] ?? "") : "";
      const after = await locateReader(deps.database, caller.accountId, lastEventId === "" ? query.after : lastEventId);
      if (isLive) {
        const release = await deps.streams.acquire(caller.accountId);
        const stream = deps.feed.open(caller.accountId, after, signal, caller.tokenId);
        stream.once("close", release);
        return {
          status: 200,
          headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
          body: stream,
        };
      }
      const bounds = { limit: query.limit ?? 50, bytesMax: pageBytesMax };
      const slice = await readEvents(deps, caller.accountId, after, bounds);
      if (slice === null) throw eventsGone(after); // deleted after the check above: the next request gets the oldest cursor
      const events = slice.entries.map(
        ({ cursor, deliveryId, createdAt, payload }) =>
          `{"cursor":"${cursor}","deliveryId":"${deliveryId}","createdAt":"${createdAt}","notification":${payload}}`,
      );
      return {
        status: 200,
        headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
        body: `{"events":[${events.join(",")}],"nextCursor":"${eventCursor(slice.next)}","hasMore":${slice.hasMore}}`,
      };
    }),
  ];
}
