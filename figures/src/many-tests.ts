/** p-values adjusted for the false discovery rate (Benjamini and Hochberg 1995), in the order of the input. */
export function adjustPValues(values: readonly number[]): number[] {
  const order = values.map((value, index) => ({ value, index })).toSorted((a, b) => b.value - a.value);
  const adjusted: number[] = [];
  let least = 1;
  for (const [position, { value, index }] of order.entries()) {
    least = Math.min(least, (value * values.length) / (values.length - position));
    adjusted[index] = least;
  }
  return adjusted;
}

/**
 * Which of many e-values are discoveries at this false discovery rate (e-BH, Wang and Ramdas 2022), however they depend on each
 * other, and whenever one looks.
 */
export function discoveries(evidence: readonly number[], rate = 0.05): boolean[] {
  const sorted = evidence.toSorted((a, b) => b - a);
  let threshold = Infinity;
  for (const [index, value] of sorted.entries()) if (value * (index + 1) >= evidence.length / rate) threshold = value;
  return evidence.map((value) => value >= threshold);
}
