import type { CallOptions, TaskFilters, TaskPage, TaskSummary } from "@querent/client";
import { querent } from "../../api/querent.ts";

interface ReadPageInput {
  readonly query: TaskFilters;
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly call: CallOptions;
  /** What the page was before; null: it is read for the first time. */
  readonly before: TaskPage | null;
  /** Told while the service looks further back than it does at once. */
  readonly onLook: (found: number) => void;
}

/**
 * A page of the list. The service answers at once with the tasks it has found and a cursor to search on from, so a page that is not
 * full is continued until it is full or nothing is left. This is done once: later only the newest tasks are read again, and those
 * found further back are kept.
 */
export async function readPage({ query, cursor, limit, call, before, onLook }: ReadPageInput): Promise<TaskPage> {
  const ask = (from: string | undefined, most: number) =>
    querent.tasks.page({ ...query, limit: most, ...(from === undefined ? {} : { cursor: from }) }, call);
  const first = await ask(cursor, limit);
  if (before !== null && first.nextCursor !== null && first.tasks.length < limit) {
    const merged = merge(first, before);
    // After many new tasks, the page is read from the start.
    if (merged.tasks.length <= 2 * limit) return merged;
  }
  const tasks = [...first.tasks];
  let { nextCursor } = first;
  while (nextCursor !== null && tasks.length < limit) {
    onLook(tasks.length);
    const next: TaskPage = await ask(nextCursor, limit - tasks.length);
    tasks.push(...next.tasks);
    nextCursor = next.nextCursor;
  }
  return { tasks, nextCursor };
}

function merge(first: TaskPage, before: TaskPage): TaskPage {
  const byId = new Map<string, TaskSummary>([...before.tasks, ...first.tasks].map((task) => [task.taskId, task]));
  // Ids sort by the time of acceptance.
  const tasks = [...byId.values()].sort((one, other) => (one.taskId > other.taskId ? -1 : 1));
  return { tasks, nextCursor: before.nextCursor };
}
