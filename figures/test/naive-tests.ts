/** What is often done instead, to compare with. `history`: the rate of each prompt on each day. */
type History = readonly (readonly number[])[];

/** An alarm if the mean is five points from that of the day before. */
export function fivePoints(history: History): boolean {
  const [now, before] = [history.at(-1), history.at(-2)];
  return now !== undefined && before !== undefined && Math.abs(meanOf(now) - meanOf(before)) >= 0.05;
}

/** An alarm if a z test of the answers of two weeks, taken for independent, has p < 0.05. */
export function pooledZ(history: History, answersOfDay = 1): boolean {
  if (history.length < 14) return false;
  const [after, before] = [meanOf(history.slice(-7).flat()), meanOf(history.slice(-14, -7).flat())];
  const rate = (after + before) / 2;
  const count = history.slice(-7).flat().length * answersOfDay;
  return Math.abs(after - before) > 1.96 * Math.sqrt((rate * (1 - rate) * 2) / count);
}

/** An alarm if a t test of the prompts' differences between two weeks has p < 0.05. */
export function pairedT(history: History): boolean {
  if (history.length < 14) return false;
  const prompts = history[0]?.length ?? 0;
  const ofWeek = (days: History, prompt: number) => meanOf(days.map((day) => day[prompt] ?? 0));
  const differences = Array.from(
    { length: prompts },
    (_, prompt) => ofWeek(history.slice(-7), prompt) - ofWeek(history.slice(-14, -7), prompt),
  );
  const mean = meanOf(differences);
  const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (prompts - 1);
  return Math.abs(mean) > 2.01 * Math.sqrt(variance / prompts);
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
