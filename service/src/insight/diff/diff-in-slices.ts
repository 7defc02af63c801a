import { diffRuns, type RunDiff } from "@querent/figures";
import { sliceMs, yieldToEventLoop } from "../../runtime/slices.ts";
import type { ReadAnswer } from "./read-compared.ts";

/** `diffRuns`, some cells at a time, so that other requests are served in between. `answers`: those of one cell follow each other. */
export async function diffInSlices(
  answers: readonly ReadAnswer[],
  runs: Parameters<typeof diffRuns>[1],
): Promise<RunDiff> {
  const { changes: none, ...nothing } = diffRuns([], runs);
  const changes = [...none];
  let whole: Counts = nothing;
  let sliceStartedAt = performance.now();
  for (const cell of cellsOf(answers)) {
    const { changes: ofCell, ...counts } = diffRuns(cell, runs);
    whole = added(whole, counts);
    changes.push(...ofCell);
    if (performance.now() - sliceStartedAt < sliceMs) continue;
    await yieldToEventLoop();
    sliceStartedAt = performance.now();
  }
  return { ...whole, changes };
}

type Counts = Omit<RunDiff, "changes">;

function* cellsOf(answers: readonly ReadAnswer[]): Generator<ReadAnswer[], void, void> {
  let cell: ReadAnswer[] = [];
  for (const answer of answers) {
    if (cell[0] !== undefined && cell[0].cell !== answer.cell) {
      yield cell;
      cell = [];
    }
    cell.push(answer);
  }
  if (cell.length > 0) yield cell;
}

function added(whole: Counts, { cells, aspects }: Counts): Counts {
  return {
    cells: {
      both: whole.cells.both + cells.both,
      onlyBefore: whole.cells.onlyBefore + cells.onlyBefore,
      onlyAfter: whole.cells.onlyAfter + cells.onlyAfter,
    },
    aspects: whole.aspects.map((sum, index) => {
      const one = aspects[index];
      if (one === undefined) return sum;
      return {
        aspect: sum.aspect,
        changed: sum.changed + one.changed,
        cells: sum.cells + one.cells,
        reruns: { differ: sum.reruns.differ + one.reruns.differ, pairs: sum.reruns.pairs + one.reruns.pairs },
      };
    }),
  };
}
