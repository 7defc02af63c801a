import type { Database } from "../db/index.ts";
import type { FencedRun } from "./fence.ts";
import { orphanedRunsOf } from "./node.ts";

/** Looks after a fault: whatever was under way when it happened is settled by the last of them. */
const looksAfterFault = 4;

/**
 * Finds runs that this node has in the database, but not in memory. A claim may be committed and its answer lost on the way; as long as
 * the node lives, no reaper takes such a task. A run that two looks in a row find is orphaned.
 */
export class OrphanedRuns {
  readonly #database: Database;
  /** Runs that the last look found in the database and not here, with their fences. */
  #found = new Map<string, number>();
  /** Looks that are still to be taken: some after each fault, none while all goes well. */
  #looks = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Something failed, and its outcome may be unknown. */
  suspect(): void {
    this.#looks = looksAfterFault;
  }

  /** The node's lease is lost: others see to what it ran. */
  forget(): void {
    this.#found.clear();
  }

  /** Runs of the node that are among `known` neither at this look nor at the last. */
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
