interface Page {
  readonly nextCursor: string | null;
}

interface PageRequest<Read extends Page> {
  readonly cursor: string | undefined;
  readonly ask: (cursor: { readonly cursor?: string }) => Promise<Read>;
  readonly rowsOf: (page: Read) => readonly unknown[];
  /** What the page was before; null: it is read for the first time. */
  readonly before?: Read | null;
}

/**
 * A page that has rows, unless there are none at all. The service replies at once with what it has found, and with a cursor to search on
 * from, which may be nothing yet where few rows match. Later only the newest are read again, and what was found further back is kept.
 */
export async function nonEmptyPage<Read extends Page>({
  cursor,
  ask,
  rowsOf,
  before = null,
}: PageRequest<Read>): Promise<Read> {
  let page = await ask(cursor === undefined ? {} : { cursor });
  if (before !== null && page.nextCursor !== null && rowsOf(page).length === 0) return before;
  while (page.nextCursor !== null && rowsOf(page).length === 0) page = await ask({ cursor: page.nextCursor });
  return page;
}
