import { hasEnded, type BatchRecord, type CallOptions } from "@querent/client";
import { useRef } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive, type Live } from "../../api/use-live.ts";
import { cellOf, type BatchCell } from "./cell.ts";

export interface BatchReading {
  readonly batches: readonly BatchRecord[];
  /** The cells in the order of the submission. It is a new map whenever something in it has changed. */
  readonly cells: ReadonlyMap<string, BatchCell>;
}

/** An end can be seen a little after its time, as long as its transaction took. While ends are missing, the look goes further back. */
const overlapMs = { first: 5000, most: 3_600_000 };
const followMs = 2000;
const restMs = 30_000;
/** How often what was read so far is shown while the first reading goes on. */
const showMs = 250;

/**
 * Batches and all of their tasks: read once as a stream, then only what has ended since. What goes on is asked for every two
 * seconds; what has ended, now and then, since a result may be replaced and expires.
 */
export function useBatch(batchIds: readonly string[], shown: (soFar: BatchReading) => void): Live<BatchReading> {
  const key = batchIds.join(",");
  const finished = useRef(false);
  const overlap = useRef(overlapMs.first);
  const live = useLive<BatchReading>(
    key,
    async (call, before) => {
      const batches = await Promise.all(batchIds.map((batchId) => querent.batches.get(batchId, call)));
      const isFinished = batches.every(({ state }) => state === "finished");
      finished.current = isFinished;
      if (before === null) return { batches, cells: await readAll(batches, call, shown) };
      const wanted = batches.reduce((sum, { taskCount, counts }) => sum + taskCount - counts.pending, 0);
      if (countEnds(before.cells) >= wanted) return { batches, cells: before.cells };
      const cells = await readSince(batches, before.cells, overlap.current, call);
      overlap.current = countEnds(cells) >= wanted ? overlapMs.first : Math.min(overlapMs.most, overlap.current * 4);
      return { batches, cells };
    },
    { everyMs: finished.current ? restMs : followMs },
  );
  return live;
}

async function readAll(
  batches: readonly BatchRecord[],
  call: CallOptions,
  shown: (soFar: BatchReading) => void,
): Promise<ReadonlyMap<string, BatchCell>> {
  const cells = new Map<string, BatchCell>();
  let shownAt = performance.now();
  for (const { batchId } of batches) {
    for await (const record of querent.batches.results(batchId, call)) {
      cells.set(record.taskId, cellOf(record));
      if (performance.now() - shownAt < showMs) continue;
      shown({ batches, cells: new Map(cells) });
      shownAt = performance.now();
    }
  }
  return cells;
}

async function readSince(
  batches: readonly BatchRecord[],
  before: ReadonlyMap<string, BatchCell>,
  lookBackMs: number,
  call: CallOptions,
): Promise<ReadonlyMap<string, BatchCell>> {
  const newest = [...before.values()].reduce(
    (latest, { endedAt }) => (endedAt !== null && endedAt > latest ? endedAt : latest),
    "",
  );
  const endedFrom = newest === "" ? undefined : new Date(Date.parse(newest) - lookBackMs).toISOString();
  const cells = new Map(before);
  for (const { batchId } of batches)
    for await (const record of querent.batches.results(batchId, { ...call, endedFrom }))
      cells.set(record.taskId, cellOf(record));
  return cells;
}

const countEnds = (cells: ReadonlyMap<string, BatchCell>): number =>
  [...cells.values()].filter(({ state }) => hasEnded(state)).length;
