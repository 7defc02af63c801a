import type { TaskFilters, TaskSummary } from "@querent/client";
import { querent } from "../../api/querent.ts";

/** Tasks that something is to be done with: some that were selected, or all that a filter finds. */
export type Chosen =
  | { readonly kind: "tasks"; readonly tasks: readonly TaskSummary[] }
  | { readonly kind: "matching"; readonly query: TaskFilters; readonly filter: string };

/** The most that a page may hold. */
const walkPageSize = 200;

/** The tasks themselves, newest first. */
export async function* tasksOf(chosen: Chosen, signal: AbortSignal): AsyncGenerator<TaskSummary, void, void> {
  if (chosen.kind === "tasks") yield* chosen.tasks;
  else yield* querent.tasks.list({ ...chosen.query, limit: walkPageSize }, { signal });
}

interface WalkInput<Kept> {
  readonly chosen: Chosen;
  readonly keep: (task: TaskSummary) => Kept;
  /** The maximum number of tasks; the result is null when there are more. */
  readonly most: number;
  readonly onProgress: (count: number) => void;
  readonly signal: AbortSignal;
}

/** Collects what `keep` returns for every chosen task, oldest first. */
export async function walk<Kept>({ chosen, keep, most, onProgress, signal }: WalkInput<Kept>): Promise<Kept[] | null> {
  const found: Kept[] = [];
  for await (const task of tasksOf(chosen, signal)) {
    if (found.length === most) return null;
    found.push(keep(task));
    if (found.length % walkPageSize === 0) onProgress(found.length);
  }
  return found.toReversed();
}

/** The chosen tasks that have not ended. */
export function pendingOf(chosen: Chosen): Chosen {
  if (chosen.kind === "tasks") return { ...chosen, tasks: chosen.tasks.filter(({ state }) => state === "pending") };
  const { state } = chosen.query;
  if (state !== undefined && state !== "pending") return { kind: "tasks", tasks: [] };
  return { ...chosen, query: { ...chosen.query, state: "pending" } };
}
