import type { ObservationFilter } from "@querent/contract";
import { measureDeleted } from "../../accounts/index.ts";
import { emptyPartition, listPartitions, type Database, type Queryable } from "../../db/index.ts";
import { selectionOf, type RowFilter } from "./list-rows.ts";
import { firstIdAt } from "../../kernel/ids.ts";
import { noteAudit } from "../../runtime/audited.ts";

interface Deleted {
  readonly observations: number;
  readonly failures: number;
}

/**
 * Deletes an account's observations with the texts of imported answers among them, and the failed tasks of the same selection, in
 * bounded steps.
 */
export async function deleteObservations(
  database: Database,
  accountId: string,
  filter: ObservationFilter,
): Promise<Deleted> {
  noteAudit({ after: { selection: filter } });
  const observations = await deleteAnswers(database, accountId, filter);
  const { importId, entityId, domain, ...ofTasks } = filter;
  if (observations > 0) await measureDeleted(database, accountId, ["imports"]);
  // A failed task was not imported, and names and cites nothing.
  const isOfAnswers = importId !== undefined || entityId !== undefined || domain !== undefined;
  return { observations, failures: isOfAnswers ? 0 : await deleteFailures(database, accountId, ofTasks) };
}

async function deleteFailures(database: Database, accountId: string, filter: RowFilter): Promise<number> {
  const { range, fits, values } = selectionOf(accountId, filter);
  return inSteps(async () => {
    // Locks: the deleted rows. Index: the primary key, or panel_failures_panel.
    const { rowCount } = await database.transaction((tx) =>
      tx.query(
        `delete from panel_failures d using (
           select o.account_id, o.id from panel_failures o where ${range} and ${fits} limit ${rowsAtOnce}
         ) k where d.account_id = k.account_id and d.id = k.id`,
        [...values],
      ),
    );
    return rowCount ?? 0;
  });
}

async function deleteAnswers(database: Database, accountId: string, filter: ObservationFilter): Promise<number> {
  const { range, fits, values } = selectionOf(accountId, filter);
  return inSteps(async () => {
    // Locks: the deleted rows. Index: the primary key, or observations_panel.
    const { rows } = await database.transaction((tx) =>
      tx.query<{ count: number }>(
        `with deleted as (
         delete from observations d using (
           select o.account_id, o.id from observations o where ${range} and ${fits} limit ${rowsAtOnce}
         ) k where d.account_id = k.account_id and d.id = k.id returning d.id
       ), texts as (
         delete from imported_answers where account_id = $1 and observation_id in (select id from deleted)
       )
       select count(*)::int as count from deleted`,
        [...values],
      ),
    );
    return rows[0]?.count ?? 0;
  });
}

/** Sets for how many days an account's observations are kept: null for ever; `default` as long as those of the others. */
export async function keepObservations(
  db: Queryable,
  accountId: string,
  days: number | null | "default",
): Promise<void> {
  // Locks: the account's row.
  if (days === "default") await db.query("delete from observation_retention where account_id = $1", [accountId]);
  else
    await db.query(
      `insert into observation_retention (account_id, days) values ($1, $2)
       on conflict (account_id) do update set days = excluded.days`,
      [accountId, days],
    );
}

/** The maximum of rows that one statement deletes, so that no lock is held for long. */
const rowsAtOnce = 5_000;

/** Repeats a step of at most `rowsAtOnce` rows until it finds fewer. Returns how many there were. */
async function inSteps(step: () => Promise<number>): Promise<number> {
  for (let total = 0; ;) {
    const count = await step();
    total += count;
    if (count < rowsAtOnce) return total;
  }
}

/** What remains of the tasks that were answered, and of those of panels that failed: kept and deleted alike. */
export const observationsTable = { table: "observations", key: "id" } as const;
export const failuresTable = { table: "panel_failures", key: "id" } as const;

/** An account with observations, and the time from which on it keeps them; null: it keeps all of them. */
interface Kept {
  readonly accountId: string;
  readonly since: Date | null;
}

/**
 * Deletes observations, and failed tasks of panels, that are older than the number of days for which their account keeps them, by
 * default `days`; null: for ever. A partition in which no account keeps anything is emptied at once, the other observations are
 * deleted in steps. Also deletes the texts of imported answers that have expired, or whose observation has.
 */
export async function forgetObservations(
  database: Database,
  days: number | null,
): Promise<{ readonly deleted: number; readonly emptied: readonly string[] }> {
  await forgetExpiredTexts(database);
  const emptied: string[] = [];
  let deleted = 0;
  for (const { table } of [observationsTable, failuresTable]) {
    const accounts = await readKept(database, table, days);
    emptied.push(...(await emptyUnkept(database, table, days)));
    for (const { accountId, since } of accounts)
      if (since !== null) deleted += await inSteps(() => deleteBefore(database, table, { accountId, since }));
    if (table !== observationsTable.table) continue;
    for (const { accountId, since } of accounts)
      if (since !== null) await inSteps(() => deleteBefore(database, "imported_answers", { accountId, since }));
  }
  return { deleted, emptied };
}

type KeptTable = typeof observationsTable.table | typeof failuresTable.table;

/** Empties the partitions in which no account keeps anything. Returns their names. */
async function emptyUnkept(database: Database, table: KeptTable, days: number | null): Promise<string[]> {
  const emptied: string[] = [];
  const now = await timeOf(database);
  for (const { name, to } of await listPartitions(database, { table })) {
    if (to === null || to > now) continue;
    // An answer can be imported into the partition until it is locked, so what its accounts keep is read under the lock, too.
    const isKept = async (db: Queryable) => {
      const kept = await readKept(db, name, days);
      return kept.length === 0 || kept.some(({ since }) => since === null || since < to);
    };
    if (!(await isKept(database)) && (await emptyPartition(database, { name }, isKept))) emptied.push(name);
  }
  return emptied;
}

/** What the accounts with rows in a table, or in a partition of it, keep. */
async function readKept(db: Queryable, table: string, days: number | null): Promise<Kept[]> {
  const { rows } = await db.query<Kept>(
    // Index: the primary key, by one step for each account.
    `with recursive observed as (
       (select account_id from ${table} order by account_id limit 1)
       union all
       select (select o.account_id from ${table} o where o.account_id > observed.account_id order by o.account_id limit 1)
         from observed where observed.account_id is not null
     )
     select a.account_id as "accountId",
            now() - case when r.account_id is null then $1::int else r.days end * interval '1 day' as since
       from observed a left join observation_retention r on r.account_id = a.account_id
      where a.account_id is not null`,
    [days],
  );
  return rows;
}

const idColumns = { observations: "id", panel_failures: "id", imported_answers: "observation_id" } as const;

async function deleteBefore(
  db: Queryable,
  table: keyof typeof idColumns,
  { accountId, since }: { readonly accountId: string; readonly since: Date },
): Promise<number> {
  const id = idColumns[table];
  // Locks: the deleted rows. Index: the primary key.
  const { rowCount } = await db.query(
    `delete from ${table} d using (
       select ${id} from ${table} where account_id = $1 and ${id} < $2 limit ${rowsAtOnce}
     ) k where d.account_id = $1 and d.${id} = k.${id}`,
    [accountId, firstIdAt(since)],
  );
  return rowCount ?? 0;
}

async function forgetExpiredTexts(database: Database): Promise<void> {
  await inSteps(async () => {
    // Locks: the deleted rows. Index: imported_answers_age.
    const { rowCount } = await database.query(
      `delete from imported_answers where (account_id, observation_id) in (
         select account_id, observation_id from imported_answers where expires_at < now() limit ${rowsAtOnce})`,
    );
    return rowCount ?? 0;
  });
}

async function timeOf(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>("select now() as now");
  return rows[0]?.now ?? new Date(0);
}
