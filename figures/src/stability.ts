/** What two sets have in common, as a share of what either has: 1 for the same, null for two empty ones. */
export function jaccard(one: ReadonlySet<string>, other: ReadonlySet<string>): number | null {
  if (one.size === 0 && other.size === 0) return null;
  let common = 0;
  for (const item of one) if (other.has(item)) common++;
  return common / (one.size + other.size - common);
}

/** The same of sets that are written as ascending numbers. */
export function jaccardOfSorted(one: ArrayLike<number>, other: ArrayLike<number>): number | null {
  if (one.length === 0 && other.length === 0) return null;
  let common = 0;
  for (let i = 0, j = 0; i < one.length && j < other.length;) {
    const difference = (one[i] ?? 0) - (other[j] ?? 0);
    if (difference === 0) common++;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return common / (one.length + other.length - common);
}

/**
 * Rank-biased overlap of two rankings, extrapolated from the ranks that are there (Webber, Moffat and Zobel 2010, formula 32).
 * `persistence`: the probability that a reader who looked at one rank looks at the next one. Null if one of them is empty.
 */
export function rankBiasedOverlap(one: readonly string[], other: readonly string[], persistence = 0.9): number | null {
  const [short, long] = [[...new Set(one)], [...new Set(other)]].toSorted((a, b) => a.length - b.length);
  if (short === undefined || long === undefined || short.length === 0) return null;
  const overlaps = overlapsByDepth(short, long);
  const overlapAt = (depth: number) => overlaps[depth - 1] ?? 0;
  let sum = 0;
  for (let depth = 1; depth <= long.length; depth++) {
    const beyond = Math.max(0, depth - short.length) / (short.length * depth);
    sum += (overlapAt(depth) / depth + overlapAt(short.length) * beyond) * persistence ** depth;
  }
  const [atShort, atLong] = [overlapAt(short.length), overlapAt(long.length)];
  const tail = ((atLong - atShort) / long.length + atShort / short.length) * persistence ** long.length;
  return ((1 - persistence) / persistence) * sum + tail;
}

/** How many items the first one, two, three ... ranks have in common. */
function overlapsByDepth(short: readonly string[], long: readonly string[]): number[] {
  const [inShort, inLong] = [new Set<string>(), new Set<string>()];
  let common = 0;
  return long.map((item, index) => {
    const partner = short[index];
    if (item === partner) common++;
    else common += Number(inShort.has(item)) + Number(partner !== undefined && inLong.has(partner));
    inLong.add(item);
    if (partner !== undefined) inShort.add(partner);
    return common;
  });
}

/** The mean over all pairs; null for fewer than two, or if no pair has a value. */
export function meanOverPairs<Item>(items: readonly Item[], compare: (one: Item, other: Item) => number | null) {
  const values = items.flatMap((one, index) => items.slice(index + 1).flatMap((other) => compare(one, other) ?? []));
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** An item that at least this share of the lists has is one of their core. */
export const coreShare = 0.8;

/** The items that are in at least `share` of the lists (the core), and the others (the tail), most frequent first. */
export function coreAndTail<Item extends string | number>(
  lists: readonly Iterable<Item>[],
  share = coreShare,
): { core: Item[]; tail: Item[] } {
  const counts = new Map<Item, number>();
  for (const list of lists) for (const item of list) counts.set(item, (counts.get(item) ?? 0) + 1);
  const byCount = [...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const isCore = (count: number) => count >= share * lists.length;
  return {
    core: byCount.filter(([, count]) => isCore(count)).map(([item]) => item),
    tail: byCount.filter(([, count]) => !isCore(count)).map(([item]) => item),
  };
}
