import type { CallOptions, Transport } from "./transport.ts";
/** Iterates over the elements of all pages, fetching pages on demand. */
export declare function paged<Element>(
  transport: Transport,
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  options: CallOptions,
  member: string,
): AsyncGenerator<Element, void, void>;
