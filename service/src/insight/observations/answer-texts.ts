import type { ObservationRecord } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { getTasks } from "../../tasks/index.ts";

/** The texts of one account's observations, by their ids, as long as they have not expired. */
export async function readAnswerTexts(
  db: Queryable,
  accountId: string,
  observations: readonly ObservationRecord[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const tasks = await getTasks(
    db,
    accountId,
    observations.flatMap(({ taskId }) => (taskId === null ? [] : [taskId])),
  );
  for (const { observationId, taskId } of observations) {
    const task = taskId === null ? undefined : tasks.get(taskId);
    if (task !== undefined && !task.expired) texts.set(observationId, task.content ?? "");
  }
  // Index: the primary key.
  const { rows } = await db.query<{ observation_id: string; content: string }>(
    `select observation_id, content from imported_answers
      where account_id = $1 and observation_id = any($2::uuid[]) and expires_at > now()`,
    [accountId, observations.flatMap(({ importId, observationId }) => (importId === null ? [] : [observationId]))],
  );
  for (const { observation_id: id, content } of rows) texts.set(id, content);
  return texts;
}
