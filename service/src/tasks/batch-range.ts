import { firstIdAt, timeOfId, idRange } from "../kernel/ids.ts";

const marginMs = 3_600_000;

/**
 * The range of ids in which the tasks of these batches are, so that a statement reads only the partitions of that time. The ids
 * of a batch and its tasks contain the same time, that of their acceptance; the margin is for data that was made otherwise.
 */
export function batchRange(batchIds: readonly string[]): { readonly least: string; readonly greatest: string } {
  const { least, greatest } = idRange(batchIds);
  return {
    least: firstIdAt(new Date(timeOfId(least).getTime() - marginMs)),
    greatest: firstIdAt(new Date(timeOfId(greatest).getTime() + marginMs)),
  };
}
