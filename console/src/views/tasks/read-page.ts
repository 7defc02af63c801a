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
 * A page of the list. The service answers at once with what it has found, and says where to look on: so a page that is not full
 * is gone on with until it is, or there is no more. That is done once. Later only what is newest is read again, and what was
 * found further back stays.
 */
export async function readPage({ query, cursor, limit, call, before, onLook }: ReadPageInput): Promise<TaskPage> {
  const ask = (from: string | undefined, most: number) =>
    querent.tasks.page({ ...query, limit: most, ...(from === undefined ? {} : { cursor: from }) }, call);
  const first = await ask(cursor, limit);
  if (before !== null && first.nextCursor !== null && first.tasks.length < limit) {
    const merged = merge(first, before);
    // So much has come that the page is another.
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
