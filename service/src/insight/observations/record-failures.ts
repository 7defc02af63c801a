import type { Failure, TaskRecord } from "@querent/contract";
import { rowsAs, type Transaction } from "../../db/index.ts";
import type { EndedTask } from "../../tasks/index.ts";
import { observationId } from "./observation-id.ts";

/** What this process knows of a platform. */
export interface FailingPlatforms {
  /** The recipe that reads its answers of this kind. Null: it has none, or is not configured. */
  readonly recipeOf: (platformCode: string, kind: string | null) => string | null;
  readonly kindOf: (platformCode: string) => string | null;
}

interface FailedTask {
  readonly accountId: string;
  readonly record: TaskRecord;
  readonly failure: Failure;
  readonly kind: string | null;
  readonly recipe: string | null;
}

const failureRows = rowsAs<FailedTask>("e", {
  account_id: ["uuid", (task) => task.accountId],
  id: ["uuid", ({ record }) => observationId(record)],
  failed_at: ["timestamptz", ({ record }) => record.completedAt],
  task_id: ["uuid", ({ record }) => record.taskId],
  batch_id: ["uuid", ({ record }) => record.batchId],
  client_reference: ["text", ({ record }) => record.clientReference],
  tags: ["text[]", ({ record }) => record.tags],
  platform: ["text", ({ record }) => record.platformCode],
  platform_kind: ["text", (task) => task.kind],
  recipe: ["text", (task) => task.recipe],
  code: ["text", ({ failure }) => failure.code],
  stage: ["text", ({ failure }) => failure.stage],
  attempts: ["int", ({ failure }) => failure.attempts],
});

/** Writes a row for each of these tasks that is one of a panel, in the transaction that ends them. */
export async function recordFailures(
  tx: Transaction,
  failed: readonly EndedTask[],
  { recipeOf, kindOf }: FailingPlatforms,
): Promise<void> {
  const rows = failed.flatMap(({ accountId, record }): FailedTask[] =>
    record.failure === null
      ? []
      : [
          {
            ...{ accountId, record, failure: record.failure, kind: kindOf(record.platformCode) },
            recipe: recipeOf(record.platformCode, kindOf(record.platformCode)),
          },
        ],
  );
  if (rows.length === 0) return;
  // Locks: the new rows. Index: the primary key of panel_tasks; and observations_panel for the kind of a platform that this process
  // does not have, which is that of its last answer in the panel.
  await tx.query({
    name: "record failures",
    text: `insert into panel_failures (account_id, id, failed_at, task_id, batch_id, client_reference, tags, panel_id, panel_revision,
       run_id, prompt_id, platform, locale, persona, repeat, probability, platform_kind, recipe, code, stage, attempts)
     select e.account_id, e.id, e.failed_at, e.task_id, e.batch_id, e.client_reference, e.tags, p.panel_id, p.revision,
       p.run_id, p.prompt_id, e.platform, p.locale, p.persona, p.repeat, p.probability,
       coalesce(e.platform_kind, (
         select o.platform_kind from observations o
          where o.account_id = e.account_id and o.panel_id = p.panel_id and o.platform = e.platform and o.task_id is not null
          order by o.id desc limit 1), 'api'),
       e.recipe, e.code, e.stage, e.attempts
     from ${failureRows.after(0)}
     cross join lateral (select * from panel_tasks where account_id = e.account_id and task_id = e.task_id offset 0) p
     on conflict (account_id, id) do nothing`,
    values: failureRows.values(rows),
  });
}
