/** The next of 1, 2, 4 and 6 times a power of ten: its half is a round number, too. */
export function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 10].find((step) => value <= step * power * 1.0001) ?? 10) * power;
}
