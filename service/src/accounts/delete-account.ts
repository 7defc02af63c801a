import type { Database } from "../db/index.ts";

/**
 * Deletes an account with everything it has: every row of every table with its id, whichever room the table belongs to. False: it has
 * unfinished tasks, and nothing was deleted. Files of its artifacts are removed by the store's own upkeep.
 */
export async function deleteAccount(database: Database, accountId: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    // Locks: the account's row, which every submission waits for.
    const { rows } = await tx.query<{ unfinished_tasks: number }>(
      "select unfinished_tasks from accounts where id = $1 for update",
      [accountId],
    );
    if (rows.some((row) => row.unfinished_tasks > 0)) return false;
    const { rows: tables } = await tx.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
         join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        order by 1`,
    );
    // Locks: the deleted rows. Most keys begin with the account; of the others, the whole index is read.
    for (const { name } of tables) await tx.query(`delete from ${name} where account_id = $1`, [accountId]);
    await tx.query("delete from accounts where id = $1", [accountId]);
    return true;
  });
}
