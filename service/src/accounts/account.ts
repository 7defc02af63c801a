import type { Queryable, Transaction } from "../db/index.ts";
import { newId } from "../kernel/ids.ts";

export interface AccountRow {
  readonly accountId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly availablePoints: number;
  readonly heldPoints: number;
  readonly capturedPoints: number;
  readonly unfinishedTasks: number;
}

/** Makes the account's row. What else an account needs from its first moment (points, secret) is made beside it, in the same transaction. */
export async function insertAccount(tx: Transaction, name: string): Promise<string> {
  const accountId = newId();
  const { rowCount } = await tx.query("insert into accounts (id, name) values ($1, $2) on conflict (name) do nothing", [
    accountId,
    name,
  ]);
  if (rowCount === 0) throw new Error(`There is an account named ${name} already.`);
  return accountId;
}

export async function findAccount(db: Queryable, name: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>("select id from accounts where name = $1", [name]);
  return rows[0]?.id ?? null;
}

export async function listAccounts(db: Queryable): Promise<AccountRow[]> {
  const { rows } = await db.query<AccountRow & Record<string, unknown>>(
    `select id as "accountId", name, created_at as "createdAt", points_available as "availablePoints",
            points_held as "heldPoints", points_captured as "capturedPoints", unfinished_tasks as "unfinishedTasks"
     from accounts order by id`,
  );
  return rows;
}
