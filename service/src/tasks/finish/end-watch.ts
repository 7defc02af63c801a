import type { Database } from "../../db/index.ts";
import { idRange } from "../../kernel/ids.ts";
import { taskKeys } from "../read/record.ts";

/** Ends in this process are noticed immediately, those in others by polling at this interval while somebody waits. */
const pollMs = 500;

/** Lets requests wait for the end of a task, wherever it runs. One query serves all waiting requests. */
export class EndWatch {
  readonly #database: Database;
  readonly #waiting = new Map<string, Set<() => void>>();
  /** The accounts of the tasks that are waited for. */
  readonly #accounts = new Map<string, string>();
  #timer: NodeJS.Timeout | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Wakes the requests that wait for these tasks, which have ended. */
  ended(taskIds: readonly string[]): void {
    for (const taskId of taskIds) {
      for (const wake of this.#waiting.get(taskId) ?? []) wake();
    }
  }

  /** Resolves when the task ends, when `signal` aborts, or after `atMostMs`, whichever comes first. */
  async wait(accountId: string, taskId: string, atMostMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiters = this.#waiting.get(taskId) ?? new Set();
    waiters.add(resolve);
    this.#waiting.set(taskId, waiters);
    this.#accounts.set(taskId, accountId);
    const timer = setTimeout(resolve, atMostMs);
    signal.addEventListener("abort", () => resolve(), { once: true });
    this.#arm();
    await promise;
    clearTimeout(timer);
    waiters.delete(resolve);
    if (waiters.size > 0) return;
    this.#waiting.delete(taskId);
    this.#accounts.delete(taskId);
  }

  #arm(): void {
    if (this.#timer !== null || this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => void this.#look(), pollMs);
  }

  async #look(): Promise<void> {
    try {
      const tasks = Array.from(this.#accounts, ([taskId, accountId]) => ({ accountId, taskId }));
      const { least, greatest } = idRange(tasks.map(({ taskId }) => taskId));
      // Index: the primary key.
      const { rows } = await this.#database.query<{ id: string }>(
        `select t.id from ${taskKeys.after(2)}
           join tasks t on t.account_id = k.account_id and t.id = k.id and t.id between $1 and $2 and t.state <> 'pending'`,
        [least, greatest, ...taskKeys.values(tasks)],
      );
      this.ended(rows.map((row) => row.id));
    } catch {
      // The database is unavailable: requests wait until their own time limit.
    }
    this.#timer = null;
    this.#arm();
  }
}
