import type { TaskFilters, TaskSummary } from "@querent/client";
import { querent } from "../../api/querent.ts";

/** The most that a page may hold. */
export const walkPageSize = 200;

interface WalkInput<Kept> {
  readonly query: TaskFilters;
  readonly keep: (task: TaskSummary) => Kept;
  /** Null comes back when there are more. */
  readonly most: number;
  readonly onProgress: (count: number) => void;
  readonly signal: AbortSignal;
}

/** Something of every task that a filter finds, oldest first. */
export async function walk<Kept>({ query, keep, most, onProgress, signal }: WalkInput<Kept>): Promise<Kept[] | null> {
  const found: Kept[] = [];
  for await (const task of querent.tasks.list({ ...query, limit: walkPageSize }, { signal })) {
    if (found.length === most) return null;
    found.push(keep(task));
    if (found.length % walkPageSize === 0) onProgress(found.length);
  }
  return found.toReversed();
}
