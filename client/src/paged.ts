import { UnexpectedReplyError } from "./errors.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** Iterates over the elements of all pages, fetching pages on demand. */
export async function* paged<Element>(
  transport: Transport,
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  options: CallOptions,
  member: string,
): AsyncGenerator<Element, void, void> {
  for (let cursor: string | undefined; ;) {
    const { body } = await transport.json<{ nextCursor: string | null } & Record<string, Element[] | string | null>>({
      ...options,
      method: "GET",
      path,
      query: { ...query, cursor },
      repeat: "always",
    });
    const elements = body[member];
    if (!Array.isArray(elements)) throw new UnexpectedReplyError(`A page of ${path} has no ${member}.`);
    yield* elements;
    if (body.nextCursor === null) return;
    if (body.nextCursor === cursor) throw new UnexpectedReplyError(`A page of ${path} refers to itself.`);
    cursor = body.nextCursor;
  }
}
