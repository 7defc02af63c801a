import { querent } from "../api/querent.ts";
import { useLive } from "../api/use-live.ts";

/** Pending tasks of a batch whose last attempt failed. */
export interface Retries {
  readonly waiting: number;
  /** When the first of them is tried again. */
  readonly nextAt: string | null;
  /** What the newest of them were not all looked at: there may be more. */
  readonly isPart: boolean;
}

const refreshMs = 5000;
/** The most that one request lists: so many of the newest pending tasks are looked at. */
const lookedAtMax = 200;

/** Tasks that wait for a retry, by batch: of one batch, or of all. A batch's own record counts them as pending. */
export function useRetries(batchId: string | null, paused: boolean): ReadonlyMap<string, Retries> {
  const { value } = useLive(
    `retries ${batchId ?? "all"}`,
    async (call) => {
      const { tasks, nextCursor } = await querent.tasks.page(
        { state: "pending", limit: lookedAtMax, ...(batchId === null ? {} : { batchId }) },
        call,
      );
      const found = new Map<string, Retries>();
      for (const { batchId: id, progress } of tasks) {
        if (progress?.phase !== "waiting_retry") continue;
        const { waiting = 0, nextAt = null } = found.get(id) ?? {};
        const at = progress.nextAttemptAt;
        found.set(id, {
          waiting: waiting + 1,
          nextAt: nextAt === null || (at !== null && at < nextAt) ? at : nextAt,
          isPart: nextCursor !== null,
        });
      }
      return found;
    },
    { everyMs: refreshMs, paused },
  );
  return value ?? none;
}

const none: ReadonlyMap<string, Retries> = new Map();
