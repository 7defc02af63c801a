import type { TaskRecord } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";

/** What notifications need of the tasks: records as they are now. */
export interface TaskRecords {
  read(db: Queryable, accountId: string, taskIds: readonly string[]): Promise<Map<string, TaskRecord>>;
}
