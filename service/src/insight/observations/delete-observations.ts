import type { ObservationFilter } from "@querent/contract";
import type { Database, Queryable } from "../../db/index.ts";
import { firstIdAt } from "../../kernel/ids.ts";
import { selectionOf } from "./selection.ts";

const rowsAtOnce = 5_000;

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

/**
 * Deletes observations that are older than they are kept, by their account's own number of days or else by `days`; null: they are
 * kept for ever. Also deletes the texts of imported answers that have expired.
 */
export async function forgetObservations(database: Database, days: number | null): Promise<number> {
  await forgetTexts(database);
  const { rows: accounts } = await database.query<{ account_id: string; before: Date }>(
    // Every account with observations, found by steps over the primary key, or with a number of days of its own.
    `with recursive observed as (
       (select account_id from observations order by account_id limit 1)
       union all
       select (select o.account_id from observations o where o.account_id > observed.account_id order by o.account_id limit 1)
         from observed where observed.account_id is not null
     )
     select a.account_id, now() - coalesce(r.days, $1::int) * interval '1 day' as before
       from observed a left join observation_retention r on r.account_id = a.account_id
      where a.account_id is not null and case when r.account_id is null then $1::int else r.days end is not null`,
    [days],
  );
  let deleted = 0;
  for (const { account_id: accountId, before } of accounts)
    deleted += await inSteps(() => deleteBefore(database, accountId, before));
  return deleted;
}

async function deleteBefore(db: Queryable, accountId: string, before: Date): Promise<number> {
  // Locks: the deleted rows. Index: the primary key.
  const { rowCount } = await db.query(
    `delete from observations d using (
       select id from observations where account_id = $1 and id < $2 limit ${rowsAtOnce}
     ) k where d.account_id = $1 and d.id = k.id`,
    [accountId, firstIdAt(before)],
  );
  return rowCount ?? 0;
}

async function forgetTexts(database: Database): Promise<void> {
  await inSteps(async () => {
    // Locks: the deleted rows. Index: imported_answers_age.
    const { rowCount } = await database.query(
      `delete from imported_answers where (account_id, observation_id) in (
         select account_id, observation_id from imported_answers where expires_at < now() limit ${rowsAtOnce})`,
    );
    return rowCount ?? 0;
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

/** Repeats a step of at most `rowsAtOnce` rows until it finds fewer. */
async function inSteps(step: () => Promise<number>): Promise<number> {
  for (let total = 0; ;) {
    const count = await step();
    total += count;
    if (count < rowsAtOnce) return total;
  }
}
