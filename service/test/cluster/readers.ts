/** Customers who read the event feed, page by page or as a stream, and continue at their cursor after every interruption. */
import { setTimeout as sleep } from "node:timers/promises";
import type { EventPage } from "@querent/contract";
import { openEventStream } from "../harness/event-stream.ts";
import type { Account } from "./services.ts";

export interface Reader {
  readonly accountId: string;
  readonly name: string;
  /** The task of each event. */
  readonly taskIds: string[];
  /** Replies that end a reader: a cursor that is refused. */
  readonly wrong: string[];
  stop(): Promise<void>;
}

const patienceMs = 10_000;
const pauseMs = 500;

/** A reader that pages, and one that streams. */
export function startReaders(account: Account, addresses: readonly string[]): Reader[] {
  return [startPaging(account, addresses), startStreaming(account, addresses)];
}

function startPaging({ accountId, token }: Account, addresses: readonly string[]): Reader {
  let after: string | null = null;
  return startReader(accountId, "the paging reader", async (reader, turn) => {
    const query = after === null ? "" : `?after=${after}`;
    const response = await fetch(`${addresses[turn % addresses.length]}/v1/events${query}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(patienceMs),
    });
    if (response.status !== 200) return refused(reader, response.status, await response.text());
    const page = (await response.json()) as EventPage;
    for (const { notification } of page.events) reader.taskIds.push(notification.task.taskId);
    after = page.nextCursor;
  });
}

function startStreaming({ accountId, token }: Account, addresses: readonly string[]): Reader {
  let lastEventId: string | null = null;
  return startReader(accountId, "the streaming reader", async (reader, turn, stopped) => {
    const stream = await openEventStream(addresses[turn % addresses.length] ?? "", token, {
      ...(lastEventId !== null && { lastEventId }),
      onEvent: ({ id, data }) => {
        lastEventId = id;
        reader.taskIds.push((JSON.parse(data) as { task: { taskId: string } }).task.taskId);
      },
    });
    const { statusCode = 0 } = stream.response;
    if (statusCode !== 200) refused(reader, statusCode, "");
    else await Promise.race([stream.ended, stopped]);
    stream.close();
  });
}

/** Calls `read` again and again, whether it succeeds or fails, with the next turn after a failure. */
function startReader(
  accountId: string,
  kind: string,
  read: (reader: Reader, turn: number, stopped: Promise<void>) => Promise<void>,
): Reader {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  let isStopped = false;
  const reader: Reader = {
    accountId,
    name: `${kind} of ${accountId}`,
    taskIds: [],
    wrong: [],
    async stop() {
      isStopped = true;
      stop();
      await done;
    },
  };
  const done = (async () => {
    for (let turn = 0; !isStopped;) {
      await read(reader, turn, stopped).catch(() => turn++);
      await Promise.race([sleep(pauseMs), stopped]);
    }
  })();
  return reader;
}

function refused(reader: Reader, status: number, text: string): void {
  if (status !== 503) reader.wrong.push(`${status} ${text}`);
  throw new Error("refused");
}
