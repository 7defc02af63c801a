import type { AccountRecord } from "@querent/contract";
import type { Queryable, Transaction, Database } from "../db/index.ts";
import { newId } from "../kernel/ids.ts";
import { ProblemError } from "../api/problem-error.ts";
import { accountStorage, storageColumns, storageSums, type StorageColumns } from "./storage.ts";

/** Inserts the account's row. The caller creates whatever else a new account needs (points, secret) in the same transaction. */
export async function insertAccount(tx: Transaction, name: string): Promise<string> {
  const accountId = newId();
  const { rowCount } = await tx.query("insert into accounts (id, name) values ($1, $2) on conflict (name) do nothing", [
    accountId,
    name,
  ]);
  if (rowCount === 0) throw new ProblemError("state_conflict", `There is an account named ${name} already.`);
  return accountId;
}

export async function hasAccounts(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ any: boolean }>("select exists (select from accounts) as any");
  return rows[0]?.any === true;
}

export async function findAccount(db: Queryable, name: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>("select id from accounts where name = $1", [name]);
  return rows[0]?.id ?? null;
}

interface AccountFilter {
  readonly accountId?: string;
  /** A part of the name, in any case. */
  readonly text?: string;
  /** Accounts created before this one. */
  readonly beforeId?: string | null;
  readonly limit?: number;
  /** Orders by size, the accounts that store the most first; `before` is the last account of the previous page. */
  readonly bySize?: { readonly before: { readonly bytes: number; readonly accountId: string } | null };
}

/** Accounts, newest or largest first. */
export async function listAccounts(db: Queryable, filter: AccountFilter = {}): Promise<AccountRecord[]> {
  // Index: the primary key, whose ids sort by time. A text filter and the order by size examine every account: operators have
  // thousands, not millions.
  const { bySize } = filter;
  const { rows } = await db.query<
    StorageColumns & {
      id: string;
      name: string;
      created_at: Date;
      available: number;
      held: number;
      captured: number;
      granted: number;
      unfinished_tasks: number;
      unfinished_max: number;
    }
  >(
    `select a.id, a.name, a.created_at, a.points_available as available, a.points_held as held, a.points_captured as captured,
            a.points_granted as granted, a.unfinished_tasks, a.unfinished_max, ${storageColumns}
     from accounts a, ${storageSums}
     where ($1::uuid is null or a.id = $1) and ($2::text is null or strpos(lower(a.name), lower($2)) > 0)
       and ($3::uuid is null or a.id < $3) and ($5::bigint is null or (s.total_bytes, a.id) < ($5, $6::uuid))
     order by ${bySize === undefined ? "" : "s.total_bytes desc, "}a.id desc
     limit $4`,
    [
      filter.accountId ?? null,
      filter.text ?? null,
      filter.beforeId ?? null,
      filter.limit ?? null,
      bySize?.before?.bytes ?? null,
      bySize?.before?.accountId ?? null,
    ],
  );
  return rows.map(({ available, held, captured, granted, ...row }) => ({
    accountId: row.id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    balance: { available, held, captured, granted },
    unfinishedTasks: row.unfinished_tasks,
    unfinishedMax: row.unfinished_max,
    storage: accountStorage(row),
  }));
}

/** The names of these accounts, by id. */
export async function accountNames(db: Queryable, accountIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  // Index: the primary key.
  const { rows } = await db.query<{ id: string; name: string }>(
    "select id, name from accounts where id = any($1::uuid[])",
    [accountIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Sets how many unfinished tasks the account may have. Existing tasks are not affected. */
export async function setUnfinishedMax(db: Queryable, accountId: string, unfinishedMax: number): Promise<void> {
  const { rowCount } = await db.query("update accounts set unfinished_max = $2 where id = $1", [
    accountId,
    unfinishedMax,
  ]);
  if (rowCount === 0) throw new ProblemError("not_found", "There is no such account.");
}

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
