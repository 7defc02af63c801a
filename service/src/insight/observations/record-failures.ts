import { arrayLiteral, textArray, type Transaction } from "../../db/index.ts";
import type { EndedTask } from "../../tasks/index.ts";
import { observationId } from "./observation-id.ts";

/** What this process knows of a platform. */
export interface FailingPlatforms {
  /** The recipe that reads its answers of this kind. Null: it has none, or is not configured. */
  readonly recipeOf: (platformCode: string, kind: string | null) => string | null;
  readonly kindOf: (platformCode: string) => string | null;
}

/** Writes a row for each of these tasks that is one of a panel, in the transaction that ends them. */
export async function recordFailures(
  tx: Transaction,
  failed: readonly EndedTask[],
  { recipeOf, kindOf }: FailingPlatforms,
): Promise<void> {
  const rows = failed.flatMap(({ accountId, record }) =>
    record.failure === null ? [] : [{ accountId, record, failure: record.failure }],
  );
  if (rows.length === 0) return;
  // Locks: the new rows. Index: the primary key of panel_tasks; and observations_panel for the kind of a platform that this process
  // does not have, which is that of its last answer in the panel.
  await tx.query({
    name: "record failures",
    text: `insert into panel_failures (account_id, id, failed_at, task_id, batch_id, client_reference, tags, panel_id, panel_revision,
       run_id, prompt_id, platform, locale, persona, repeat, probability, platform_kind, recipe, code, stage, attempts)
     select e.account_id, e.id, e.failed_at, e.task_id, e.batch_id, e.client_reference, e.tags::text[], p.panel_id, p.revision,
       p.run_id, p.prompt_id, e.platform, p.locale, p.persona, p.repeat, p.probability,
       coalesce(e.platform_kind, (
         select o.platform_kind from observations o
          where o.account_id = e.account_id and o.panel_id = p.panel_id and o.platform = e.platform and o.task_id is not null
          order by o.id desc limit 1), 'api'),
       e.recipe, e.code, e.stage, e.attempts
     from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[],
                 $10::text[], $11::text[], $12::text[], $13::int[])
       as e(account_id, id, failed_at, task_id, batch_id, client_reference, tags, platform, platform_kind, recipe, code, stage, attempts)
     cross join lateral (select * from panel_tasks where account_id = e.account_id and task_id = e.task_id offset 0) p
     on conflict (account_id, id) do nothing`,
    values: [
      rows.map(({ accountId }) => accountId),
      rows.map(({ record }) => observationId(record)),
      rows.map(({ record }) => record.completedAt),
      rows.map(({ record }) => record.taskId),
      rows.map(({ record }) => record.batchId),
      textArray(rows.map(({ record }) => record.clientReference)),
      textArray(rows.map(({ record }) => arrayLiteral(record.tags))),
      rows.map(({ record }) => record.platformCode),
      textArray(rows.map(({ record }) => kindOf(record.platformCode))),
      textArray(rows.map(({ record }) => recipeOf(record.platformCode, kindOf(record.platformCode)))),
      rows.map(({ failure }) => failure.code),
      rows.map(({ failure }) => failure.stage),
      rows.map(({ failure }) => failure.attempts),
    ],
  });
}
