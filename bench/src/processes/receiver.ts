/**
 * The receiver: responds to every POST with 204, over TLS with keep-alive, and reports when it has received a number of distinct deliveries.
 * Requests to `/hang` get no response and are not counted. For requests to `/watch`, it records the time since the end of the task.
 */
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { answerParent, machineMs } from "./child.ts";

export interface ReceiverInput {
  readonly key: string;
  readonly cert: string;
}

export interface Reached {
  readonly atMs: number;
  readonly requests: number;
}

const seen = new Set<string>();
const arrivals: number[] = [];
/** The time from the task's end to the first byte of the request, in milliseconds of the machine's clock. */
const lags: number[] = [];
let requests = 0;
let target: { count: number; resolve: (reached: Reached) => void } | null = null;

answerParent({
  start: ({ key, cert }: ReceiverInput) => {
    const server = createServer({ key, cert, keepAliveTimeout: 60_000 }, (request, response) => {
      if (request.url === "/hang") return void request.resume();
      if (request.url === "/watch") watch(request);
      else request.resume();
      request.once("end", () => {
        response.writeHead(204).end();
        requests++;
        const id = String(request.headers["x-service-delivery"]);
        if (seen.has(id)) return;
        seen.add(id);
        const at = machineMs();
        arrivals.push(at);
        if (target !== null && seen.size >= target.count) {
          target.resolve({ atMs: at, requests });
          target = null;
        }
      });
    });
    return new Promise<{ port: number }>((resolve) =>
      server.listen(0, "127.0.0.1", () => resolve({ port: (server.address() as AddressInfo).port })),
    );
  },
  reset: () => {
    seen.clear();
    arrivals.length = 0;
    requests = 0;
  },
  /** Resolves when that many distinct deliveries were received. */
  reached: (count: number) =>
    seen.size >= count
      ? { atMs: arrivals[count - 1] ?? machineMs(), requests }
      : new Promise<Reached>((resolve) => (target = { count, resolve })),
  arrivals: () => arrivals,
  /** Those since the previous call. */
  lags: () => lags.splice(0),
});

function watch(request: IncomingMessage): void {
  const atMs = Date.now();
  let body = "";
  request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
  request.once("end", () => {
    const end = /"completedAt":"([^"]+)"/.exec(body)?.[1];
    if (end !== undefined) lags.push(atMs - Date.parse(end));
  });
}
