import pg from "pg";
import type { ConcurrentIndex } from "./migration-file.ts";

/**
 * Builds an index while others write to its table. An index that an interrupted build left invalid is dropped and built again.
 * `briefly` runs a statement that needs its locks for an instant.
 *
 * PostgreSQL builds none concurrently on a partitioned table: there the index is created on the parent alone, which is instant,
 * then on each partition concurrently, and attached. A partition that is created meanwhile has it from its start.
 */
export async function buildIndex(
  client: pg.Client,
  index: ConcurrentIndex,
  briefly: (sql: string) => Promise<void>,
): Promise<void> {
  const { name, table, create, definition } = index;
  const { rows } = await client.query<{ partitioned: boolean }>(
    "select relkind = 'p' as partitioned from pg_class where oid = to_regclass($1)",
    [table],
  );
  if (rows[0]?.partitioned !== true) return buildOn(client, index, table, name);
  await briefly(`${create} if not exists ${name} on only ${table} ${definition}`);
  for (;;) {
    const partition = await partitionWithout(client, index);
    if (partition === null) return;
    const own = partition.startsWith(`${table}_`) ? partition.slice(table.length + 1) : partition;
    try {
      await buildOn(client, index, partition, `${name}_${own}`);
      await briefly(`alter index ${name} attach partition ${name}_${own}`);
    } catch (error) {
      // The partition was dropped meanwhile.
      if (!(error instanceof pg.DatabaseError && (error.code === "42P01" || error.code === "42704"))) throw error;
    }
  }
}

/** Locks: SHARE UPDATE EXCLUSIVE on the table, which lets everyone read and write. */
async function buildOn(client: pg.Client, { create, definition }: ConcurrentIndex, table: string, name: string) {
  const { rows } = await client.query<{ valid: boolean }>(
    "select indisvalid as valid from pg_index where indexrelid = to_regclass($1)",
    [name],
  );
  if (rows[0]?.valid === true) return;
  if (rows[0] !== undefined) await client.query(`drop index concurrently ${name}`);
  try {
    await client.query(`${create} concurrently ${name} on ${table} ${definition}`);
  } catch (error) {
    // An invalid index is maintained by every write and used by none.
    await client.query(`drop index concurrently if exists ${name}`).catch(() => {});
    throw error;
  }
}

async function partitionWithout(client: pg.Client, { name, table }: ConcurrentIndex): Promise<string | null> {
  const { rows } = await client.query<{ partition: string }>(
    `select c.relname as partition
       from pg_inherits p join pg_class c on c.oid = p.inhrelid
      where p.inhparent = to_regclass($1) and not p.inhdetachpending
        and not exists (select from pg_inherits i join pg_index x on x.indexrelid = i.inhrelid
                         where i.inhparent = to_regclass($2) and x.indrelid = c.oid)
      order by c.relname limit 1`,
    [table, name],
  );
  return rows[0]?.partition ?? null;
}
