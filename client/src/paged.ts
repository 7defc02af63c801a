import { UnexpectedReplyError } from "./errors.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** The elements of every page, fetched as they are wanted. */
export async function* paged<Page extends object, Element>(
  transport: Transport,
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  options: CallOptions,
  elementsOf: (page: Page) => readonly Element[],
): AsyncGenerator<Element, void, void> {
  for (let cursor: string | undefined; ;) {
    const { body } = await transport.json<Page & { nextCursor: string | null }>({
      ...options,
      method: "GET",
      path,
      query: { ...query, cursor },
      repeat: "always",
    });
    yield* elementsOf(body);
    if (body.nextCursor === null) return;
    if (body.nextCursor === cursor) throw new UnexpectedReplyError(`The pages of ${path} lead in a circle.`);
    cursor = body.nextCursor;
  }
}
