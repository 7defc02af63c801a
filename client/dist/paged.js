import { UnexpectedReplyError } from "./errors.js";
/** Iterates over the elements of all pages, fetching pages on demand. */
export async function* paged(transport, path, query, options, member) {
  for (let cursor; ;) {
    const { body } = await transport.json({
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
