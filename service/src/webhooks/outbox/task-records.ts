import type { TaskRecord } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";

/** What notifications need to know about tasks: their current records. */
export interface TaskRecords {
  read(db: Queryable, accountId: string, taskIds: readonly string[]): Promise<Map<string, TaskRecord>>;
}
