/** Counts of values by fixed bounds: each bound's bucket counts the values up to it, and a last one counts the rest. */

/** The index (from 0) of a value's bucket. */
export function bucketOf(bounds: readonly number[], value: number): number {
  const bucket = bounds.findIndex((bound) => value <= bound);
  return bucket === -1 ? bounds.length : bucket;
}

/**
 * The quantile of a histogram, by linear interpolation within its bucket; null if it is empty. Above the last bound, that bound
 * is returned.
 */
export function quantile(bounds: readonly number[], counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const last = bounds.at(-1) ?? 0;
  let before = 0;
  for (const [bucket, count] of counts.entries()) {
    if (before + count >= share * total && count > 0) {
      const low = bounds[bucket - 1] ?? 0;
      const high = bounds[bucket] ?? last;
      const inside = (share * total - before) / count;
      return Math.round((low + (Math.max(high, low) - low) * inside) * 1000) / 1000;
    }
    before += count;
  }
  return last;
}
