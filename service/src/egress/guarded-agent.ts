import { Agent } from "undici";
import type { EgressGuard } from "./egress-guard.ts";

/** For requests whose every connection the guard makes. Its connections are few: whoever has sent them destroys it. */
export const guardedAgent = (guard: EgressGuard, signal?: AbortSignal): Agent =>
  new Agent({
    connect: ({ hostname, port }, callback) => {
      guard.connect({ hostname, port: port === "" ? 443 : Number(port) }, signal).then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      );
    },
    allowH2: false,
    pipelining: 0,
  });
