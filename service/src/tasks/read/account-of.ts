import { listAccounts } from "../../accounts/index.ts";
import type { Queryable } from "../../db/index.ts";

/**
 * The account of a task, or of a batch, for the operator, who knows only its id; null if there is none. Keys begin with the
 * account, so this is one look-up per account.
 */
export async function accountOf(
  db: Queryable,
  { taskId, batchId }: { readonly taskId: string | null; readonly batchId: string | null },
): Promise<string | null> {
  const accounts = await listAccounts(db);
  // Indexes: the primary keys, once for each account. `offset 0` keeps the planner from scanning the tables instead.
  const { rows } = await db.query<{ account_id: string }>(
    `select found.account_id
       from unnest($1::uuid[]) as a(id)
      cross join lateral (select account_id from ${taskId === null ? "batches" : "tasks"}
                           where account_id = a.id and id = $2 offset 0) found
      limit 1`,
    [accounts.map(({ accountId }) => accountId), taskId ?? batchId],
  );
  return rows[0]?.account_id ?? null;
}
