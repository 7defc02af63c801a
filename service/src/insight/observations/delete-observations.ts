import type { ObservationFilter } from "@querent/contract";
import type { Database, Queryable } from "../../db/index.ts";
import { inSteps, rowsAtOnce } from "./in-steps.ts";
import { selectionOf } from "./selection.ts";

/** Deletes an account's observations, and the texts of imported answers among them, in bounded steps. Returns their number. */
export async function deleteObservations(
  database: Database,
  accountId: string,
  filter: ObservationFilter,
): Promise<number> {
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
