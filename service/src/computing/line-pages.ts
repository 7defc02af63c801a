import type { Queryable } from "../db/index.ts";

/** Rows that are read at once: few, so that what was parsed is collected while it is young. */
const rowsAtOnce = 500;
/** The length of a page, unless a single row is longer: pages are in memory until they are decoded. */
const pageCharsMax = 512 * 1024;

interface LinePage {
  readonly text: string | null;
  readonly count: number;
  readonly of: number;
  readonly last: string | null;
}

/**
 * Pages of lines that PostgreSQL writes, so that this thread parses nothing.
 *
 * @param rows a statement for rows with `id` and `line`, in the order of `id`: those above `after`, at most `limit`
 */
export async function* linePages(
  db: Queryable,
  rows: (page: { readonly after: string | null; readonly limit: number }) => { text: string; values: unknown[] },
): AsyncGenerator<{ readonly text: string; readonly count: number }, void, void> {
  const read = async (after: string | null, limit: number): Promise<LinePage & { readonly limit: number }> => {
    const { text, values } = rows({ after, limit });
    const { rows: pages } = await db.query<LinePage & Record<string, unknown>>(
      `select string_agg(line, E'\\n' order by id) filter (where fits) as text, (count(*) filter (where fits))::int as count,
              count(*)::int as of, (array_agg(id order by id desc) filter (where fits))[1] as last
         from (select id, line, sum(length(line)) over (order by id) - length(line) < ${pageCharsMax} as fits
                 from (${text}) lines) page`,
      values,
    );
    return { ...(pages[0] ?? { text: null, count: 0, of: 0, last: null }), limit };
  };
  let next: ReturnType<typeof read> | null = read(null, rowsAtOnce);
  while (next !== null) {
    const { text, count, of, last, limit }: Awaited<ReturnType<typeof read>> = await next;
    // PostgreSQL makes only about as many long rows as fit into a page.
    const wanted = count < of ? Math.max(4, 2 * count) : Math.min(rowsAtOnce, 2 * limit);
    // PostgreSQL reads the next rows while these are decoded.
    next = (of < limit && count === of) || last === null ? null : read(last, wanted);
    // It is awaited later, or never if the reader stops.
    next?.catch(() => undefined);
    if (text !== null) yield { text, count };
  }
}
