import type { Progress } from "@querent/client";
import { querent } from "../api/querent.ts";
import { useLive } from "../api/use-live.ts";

/** The pending tasks of a batch whose last attempt failed, and why the others have not been tried. */
export interface Retries {
  readonly waiting: number;
  /** The state of the newest task that waits for a retry. */
  readonly newest: Progress | null;
  /** Why the newest untried task has not been tried, unless it is only waiting for its turn. */
  readonly blockedBy: BlockedBy | null;
  /** When the first of them is tried again. */
  readonly nextAt: string | null;
  /** True when not all pending tasks were examined, so there may be more. */
  readonly isPart: boolean;
}

const blocks = ["throttled", "breaker_open", "paused", "no_worker"] as const;
type BlockedBy = (typeof blocks)[number];

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
        if (progress === null) continue;
        const before = found.get(id) ?? { waiting: 0, newest: null, blockedBy: null, nextAt: null, isPart: false };
        if (progress.phase !== "waiting_retry") {
          const blockedBy = before.blockedBy ?? blocks.find((reason) => reason === progress.reason) ?? null;
          if (blockedBy !== null) found.set(id, { ...before, blockedBy });
          continue;
        }
        const { nextAt } = before;
        const at = progress.nextAttemptAt;
        found.set(id, {
          ...before,
          waiting: before.waiting + 1,
          newest: before.newest ?? progress,
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
