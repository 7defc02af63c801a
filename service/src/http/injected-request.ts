import { IncomingMessage } from "node:http";

/**
 * A request that the service sends to itself, without the network. The server refuses headers that were sent twice, and looks for them where
 * only requests of the network have them.
 */
export class InjectedRequest extends IncomingMessage {}
Object.defineProperty(InjectedRequest.prototype, "headersDistinct", {
  get(this: IncomingMessage): NodeJS.Dict<string[]> {
    return Object.fromEntries(
      Object.entries(this.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat()]])),
    );
  },
});
