import type { Database } from "../db/index.ts";
import type { FencedRun } from "./fence.ts";
import { orphanedRunsOf } from "./node.ts";

/** Checks after an error: the last of them is late enough for anything that was in progress. */
const looksAfterFault = 4;

/**
 * Finds runs of this node that are in the database, but not in memory. A claim may be committed and its reply lost; while the
 * node lives, no reaper takes such a task. A run that two consecutive checks find is orphaned.
 */
export class OrphanedRuns {
  readonly #database: Database;
  /** Runs that the last check found in the database but not here, with their fences. */
  #found = new Map<string, number>();
  /** Remaining checks: some after each error, none otherwise. */
  #looks = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** An operation failed, and its outcome may be unknown. */
  suspect(): void {
    this.#looks = looksAfterFault;
  }

  /** The node's lease is lost: others take over its runs. */
  forget(): void {
    this.#found.clear();
  }

  /** Runs of the node that were not `known` at this check and at the last. */
  async look(nodeId: string, known: () => readonly string[]): Promise<readonly FencedRun[]> {
    if (this.#looks === 0) return [];
    this.#looks--;
    const found = await orphanedRunsOf(this.#database, nodeId, known());
    const orphaned = found.filter((run) => this.#found.get(run.taskId) === run.fence);
    this.#found = new Map(found.map((run) => [run.taskId, run.fence]));
    if (found.length > 0) this.suspect();
    return orphaned;
  }
}
