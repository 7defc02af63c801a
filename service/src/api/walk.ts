/** A list is looked through for so long, whatever was found. */
const lookMs = 50;
/** Rows that are looked at in one statement: few at first, then as many as there is time for. */
const firstLook = 500;
const lookMax = 50_000;

/** One statement of a walk. */
export interface Look<Position> {
  /** Rows below this one; null: from the newest. */
  readonly before: Position | null;
  /** Rows that are looked at. */
  readonly look: number;
  /** Rows that are wanted of those that fit. */
  readonly wanted: number;
}

/**
 * A page of a list, newest first, in the order of an index. What no index holds is looked for on the way, in statements that each look
 * at a bounded number of rows. A walk that finds too little in its time ends where it is: its page is short, or empty, and `next` says
 * where to go on. Null: there is nothing below.
 */
export async function walk<Row, Position>(
  page: { readonly before: Position | null; readonly limit: number; readonly isWhole: boolean },
  positionOf: (row: Row) => Position,
  lookOn: (look: Look<Position>) => Promise<{ rows: readonly Row[]; last: Position | null }>,
): Promise<{ rows: Row[]; next: Position | null }> {
  const found: Row[] = [];
  const startedAt = performance.now();
  let { before } = page;
  // One more than the page holds tells whether there is more.
  let look = page.isWhole ? page.limit + 1 : Math.max(firstLook, page.limit + 1);
  for (;;) {
    const lookedAt = performance.now();
    const { rows, last } = await lookOn({ before, look, wanted: page.limit + 1 - found.length });
    found.push(...rows);
    if (found.length > page.limit) {
      const shown = found.slice(0, page.limit);
      const lowest = shown.at(-1);
      return { rows: shown, next: lowest === undefined ? null : positionOf(lowest) };
    }
    if (last === null) return { rows: found, next: null };
    before = last;
    const now = performance.now();
    const leftMs = lookMs - (now - startedAt);
    if (leftMs <= 0) return { rows: found, next: last };
    look = Math.round(Math.min(lookMax, look * 4, Math.max(firstLook, (look / (now - lookedAt)) * leftMs)));
  }
}
