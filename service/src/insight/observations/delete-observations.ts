import type { ObservationFilter } from "@querent/contract";
import { measureDeleted } from "../../accounts/index.ts";
import type { Database, Queryable } from "../../db/index.ts";
import { inSteps, rowsAtOnce } from "./in-steps.ts";
import { selectionOf, type RowFilter } from "./selection.ts";

export interface Deleted {
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
    const { rowCount } = await database.query(
      `delete from panel_failures d using (
         select o.account_id, o.id from panel_failures o where ${range} and ${fits} limit ${rowsAtOnce}
       ) k where d.account_id = k.account_id and d.id = k.id`,
      [...values],
    );
    return rowCount ?? 0;
  });
}

async function deleteAnswers(database: Database, accountId: string, filter: ObservationFilter): Promise<number> {
  const { range, fits, values } = selectionOf(accountId, filter);
  return inSteps(async () => {
    // Locks: the deleted rows. Index: the primary key, or observations_panel.
    const { rows } = await database.query<{ count: number }>(
      `with deleted as (
         delete from observations d using (
           select o.account_id, o.id from observations o where ${range} and ${fits} limit ${rowsAtOnce}
         ) k where d.account_id = k.account_id and d.id = k.id returning d.id
       ), texts as (
         delete from imported_answers where account_id = $1 and observation_id in (select id from deleted)
       )
       select count(*)::int as count from deleted`,
      [...values],
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
