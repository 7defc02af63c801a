/** The time limit of a scan in one request, whatever it has found. */
const scanMs = 50;
/** Rows per statement: few at first, then as many as the time allows. */
const firstRows = 500;
const rowsMax = 50_000;

/** One statement of a scan. */
export interface ScanStep<Position> {
  /** Rows below this one; null: from the newest. */
  readonly before: Position | null;
  /** Rows to read. */
  readonly rowsMax: number;
  /** The number of matching rows to return. */
  readonly wanted: number;
}

/**
 * A page of a list, newest first, in the order of an index. Filters without an index are applied while scanning, in statements
 * that each read a bounded number of rows. A scan that finds too little within its time limit stops: its page is short or
 * empty, and `next` is where to continue. Null: there is nothing below.
 */
export async function scanPage<Row, Position>(
  page: { readonly before: Position | null; readonly limit: number; readonly isWhole: boolean },
  positionOf: (row: Row) => Position,
  readStep: (step: ScanStep<Position>) => Promise<{ rows: readonly Row[]; last: Position | null }>,
): Promise<{ rows: Row[]; next: Position | null }> {
  const found: Row[] = [];
  const startedAt = performance.now();
  let { before } = page;
  // One more than the page needs shows whether there is more.
  let stepRows = page.isWhole ? page.limit + 1 : Math.max(firstRows, page.limit + 1);
  for (;;) {
    const stepStartedAt = performance.now();
    const { rows, last } = await readStep({ before, rowsMax: stepRows, wanted: page.limit + 1 - found.length });
    found.push(...rows);
    if (found.length > page.limit) {
      const shown = found.slice(0, page.limit);
      const lowest = shown.at(-1);
      return { rows: shown, next: lowest === undefined ? null : positionOf(lowest) };
    }
    if (last === null) return { rows: found, next: null };
    before = last;
    const now = performance.now();
    const leftMs = scanMs - (now - startedAt);
    if (leftMs <= 0) return { rows: found, next: last };
    const rowsInTime = (stepRows / (now - stepStartedAt)) * leftMs;
    stepRows = Math.round(Math.min(rowsMax, stepRows * 4, Math.max(firstRows, rowsInTime)));
  }
}
