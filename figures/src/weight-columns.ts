/** Members of `CellAnswer`, one for each answer of a cell. */
export interface AnswerColumns {
  readonly values: readonly number[];
  readonly ofs: readonly number[];
}

/**
 * The answers of a cell as values whose mean counts each answer by the reciprocal of the probability with which it was asked. A run
 * that stops in waves asks a cell again that seems uncertain, so a plain mean would be too near to what its first answers happened to
 * be. The values are the weighted mean and the weighted differences from it, so that their variance is that of the weighted mean, too.
 */
export function weightColumns(columns: AnswerColumns, probabilities: readonly number[]): AnswerColumns {
  if (probabilities.every((probability) => probability === 1)) return columns;
  const weights = probabilities.map((probability) => 1 / probability);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const weighted = (values: readonly number[]) => {
    const mean = values.reduce((sum, value, index) => sum + (weights[index] ?? 1) * value, 0) / total;
    return values.map((value, index) => mean + (((weights[index] ?? 1) * values.length) / total) * (value - mean));
  };
  return { values: weighted(columns.values), ofs: weighted(columns.ofs) };
}
