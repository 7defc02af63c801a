/** A caller that takes what it can get: requests without a pause, event streams, and receivers that accept connections and never respond. */
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { Agent, request } from "undici";
import { setTimeout as sleep } from "node:timers/promises";
import { answerParent } from "./child.ts";

export interface FloodInput {
  readonly token: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Sent in turn; empty: requests without a body. */
  readonly bodies: readonly string[];
  /** Their type; JSON by default. */
  readonly type?: string;
  /** Requests at once, each followed by the next. */
  readonly atOnce: number;
  readonly accept?: string;
}

export interface StreamsInput {
  readonly token: string;
  readonly count: number;
}

/** Responses by status; `0` counts connections that were closed without one. */
export type Statuses = Readonly<Record<string, number>>;

/** When a caller whose stream was refused tries again, at random around this: it ignores that the service says 10 seconds. */
const againMs = 1000;

let address = "";
let agent = new Agent();
let stopping = new AbortController();
let working: Promise<unknown> = Promise.resolve();
let statuses: Record<string, number> = {};
let hanging: Server | null = null;
const sockets = new Set<Socket>();

answerParent({
  start: (input: { address: string }) => {
    address = input.address;
  },
  flood: (input: FloodInput) => {
    const before = working;
    working = Promise.all([before, ...Array.from({ length: input.atOnce }, (_, nth) => flood(input, nth))]);
  },
  /** Resolves when each of them was accepted or refused once. */
  streams: async ({ token, count }: StreamsInput) => {
    const streams = Array.from({ length: count }, () => holdStream(token));
    working = Promise.all(streams.map(({ ended }) => ended));
    await Promise.all(streams.map(({ replied }) => replied));
    return statuses;
  },
  /** A server on all addresses of this machine, so that each address of 127.0.0.0/8 is an origin. Resolves to its port. */
  hang: async () => {
    const server = createServer((socket) => void keep(socket).on("error", () => undefined));
    hanging = server;
    await new Promise<void>((resolve) => server.listen({ port: 0, host: "0.0.0.0", backlog: 4096 }, resolve));
    return (server.address() as AddressInfo).port;
  },
  /** Ends everything, and reports how it was responded to. */
  stop: async (): Promise<Statuses> => {
    stopping.abort();
    await working.catch(() => undefined);
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => (hanging === null ? resolve() : hanging.close(() => resolve())));
    await agent.destroy();
    const were = statuses;
    hanging = null;
    agent = new Agent();
    stopping = new AbortController();
    working = Promise.resolve();
    statuses = {};
    return were;
  },
});

async function flood(
  { token, method, path, bodies, atOnce, accept, type = "application/json" }: FloodInput,
  nth: number,
): Promise<void> {
  for (let sent = nth; !stopping.signal.aborted; sent += atOnce) {
    const body = bodies[sent % Math.max(1, bodies.length)] ?? null;
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === null ? {} : { "content-type": type }),
      ...(accept === undefined ? {} : { accept }),
    };
    try {
      const options = { method, headers, body, dispatcher: agent, signal: stopping.signal };
      const response = await request(address + path, options);
      await response.body.dump();
      count(response.statusCode);
      // Refused without effect: a caller that ignores Retry-After, but not one that only turns around.
      if (response.statusCode === 429) await sleep(100);
    } catch {
      count(0);
    }
  }
}

function holdStream(token: string): { readonly replied: Promise<void>; readonly ended: Promise<void> } {
  const replied = Promise.withResolvers<void>();
  const hold = async () => {
    while (!stopping.signal.aborted) {
      try {
        const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
        const response = await request(`${address}/v1/events`, { headers, dispatcher: agent, signal: stopping.signal });
        count(response.statusCode);
        replied.resolve();
        await response.body.dump({ limit: Number.MAX_SAFE_INTEGER, signal: stopping.signal });
      } catch {
        if (!stopping.signal.aborted) count(0);
        replied.resolve();
      }
      await sleep(againMs * (0.5 + Math.random()), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  return { replied: replied.promise, ended: hold() };
}

function count(status: number): void {
  statuses[status] = (statuses[status] ?? 0) + 1;
}

function keep(socket: Socket): Socket {
  sockets.add(socket);
  return socket.once("close", () => sockets.delete(socket));
}
