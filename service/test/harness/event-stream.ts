/** A client of server-sent events, written according to the standard, on node:http alone. */
import { once } from "node:events";
import { Agent, request, type IncomingMessage } from "node:http";

export interface StreamedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

export interface EventStream {
  readonly response: IncomingMessage;
  readonly events: StreamedEvent[];
  /** Comments so far. */
  readonly comments: () => number;
  readonly ended: Promise<void>;
  close(): void;
}

export async function openEventStream(
  address: string,
  token: string,
  options: { after?: string; lastEventId?: string; onEvent?: (event: StreamedEvent) => void } = {},
): Promise<EventStream> {
  const query = options.after === undefined ? "" : `?after=${options.after}`;
  const outgoing = request(`${address}/v1/events${query}`, {
    agent: new Agent({ keepAlive: false }),
    headers: {
      authorization: `Bearer ${token}`,
      accept: "text/event-stream",
      ...(options.lastEventId === undefined ? {} : { "last-event-id": options.lastEventId }),
    },
  });
  outgoing.on("error", () => undefined);
  outgoing.end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  const events: StreamedEvent[] = [];
  let comments = 0;
  let text = "";
  const ended = new Promise<void>((resolve) => response.once("close", resolve));
  response.setEncoding("utf8");
  response.on("error", () => undefined);
  response.on("data", (chunk: string) => {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = new Map<string, string>();
      for (const line of block.split("\n")) {
        if (line.startsWith(":")) comments++;
        else fields.set(line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2));
      }
      const data = fields.get("data");
      if (data === undefined) continue;
      const event = { id: fields.get("id") ?? "", event: fields.get("event") ?? "", data };
      events.push(event);
      options.onEvent?.(event);
    }
  });
  return { response, events, comments: () => comments, ended, close: () => void outgoing.destroy() };
}
