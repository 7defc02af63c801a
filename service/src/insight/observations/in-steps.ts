/** The maximum of rows that one statement deletes, so that no lock is held for long. */
export const rowsAtOnce = 5_000;

/** Repeats a step of at most `rowsAtOnce` rows until it finds fewer. Returns how many there were. */
export async function inSteps(step: () => Promise<number>): Promise<number> {
  for (let total = 0; ;) {
    const count = await step();
    total += count;
    if (count < rowsAtOnce) return total;
  }
}
