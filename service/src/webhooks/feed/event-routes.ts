import { api, eventTypes, type EventType } from "@querent/contract";
import type { AccountSemaphore } from "../../api/account-semaphore.ts";
import { negotiate } from "../../api/negotiate.ts";
import { route, type Route } from "../../api/route.ts";
import type { EventFeed } from "./event-feed.ts";
import { writeCursor, type FeedPosition } from "./feed-position.ts";
import { locateReader } from "./locate-reader.ts";
import { defaultTypes, readEvents, type EventSlice, type ReadEventsDeps } from "./read-events.ts";

/** Limit on a page's events together: a page of large results has fewer events than requested. */
const pageBytesMax = 4 * 1024 * 1024;

export function eventRoutes(deps: ReadEventsDeps & { feed: EventFeed; streams: AccountSemaphore }): Route[] {
  return [
    route(api.listEvents, async ({ caller, query, headers, signal }) => {
      const isLive = negotiate(headers["accept"], ["application/json", "text/event-stream"]) === "text/event-stream";
      // A browser that reconnects requests the original URL, with its position in this header.
      const lastEventId = isLive ? (headers["last-event-id"] ?? "") : "";
      const types = typesOf(query.types);
      const locate = () =>
        locateReader(deps.database, caller.accountId, lastEventId === "" ? query.after : lastEventId);
      if (isLive) {
        // Before the database is asked: one stream too many costs nothing but its refusal.
        const release = await deps.streams.acquire(caller.accountId);
        const after = await locate().catch((error: unknown) => {
          release();
          throw error;
        });
        const stream = deps.feed.open(caller.accountId, after, signal, { accessId: caller.accessId, types });
        stream.once("close", release);
        return {
          status: 200,
          headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
          body: stream,
        };
      }
      const slice = await readPage(deps, { accountId: caller.accountId, types }, await locate(), query.limit ?? 50);
      const events = slice.entries.map(
        ({ cursor, deliveryId, createdAt, payload }) =>
          `{"cursor":"${cursor}","deliveryId":"${deliveryId}","createdAt":"${createdAt}","notification":${payload}}`,
      );
      return {
        status: 200,
        headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
        body: `{"events":[${events.join(",")}],"nextCursor":"${writeCursor(slice.next)}","hasMore":${slice.hasMore}}`,
      };
    }),
  ];
}

async function readPage(
  deps: ReadEventsDeps,
  of: { readonly accountId: string; readonly types: readonly EventType[] },
  after: FeedPosition,
  limit: number,
): Promise<EventSlice> {
  const slice = await readEvents(deps, of, after, { limit, bytesMax: pageBytesMax });
  if (slice !== null) return slice;
  // The position was deleted after it had been located: this throws the error that says where to continue.
  await locateReader(deps.database, of.accountId, writeCursor(after));
  throw new Error("the start of the event feed moved while a page was read");
}

/** The types in the order of the contract, so that readers of the same types share their reads. */
function typesOf(text: string | undefined): readonly EventType[] {
  if (text === undefined) return defaultTypes;
  const named = new Set(text.split(","));
  return eventTypes.filter((type) => named.has(type));
}
