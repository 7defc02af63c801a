import type { FoundChange, FoundInstrumentChange } from "@querent/contract";
import type { Queryable, Transaction } from "../../db/index.ts";

/** A change of a figure, or of an instrument. `day`: of the last answers with which it was found, or the first one of the instrument. */
export type Found =
  | { readonly kind: "change"; readonly series: string; readonly day: string; readonly data: FoundChange }
  | {
      readonly kind: "instrument";
      readonly series: string;
      readonly day: string;
      readonly data: FoundInstrumentChange;
    };

/** The greatest number of each kind that is shown and remembered. */
const foundMax = 500;

interface FoundRow {
  kind: Found["kind"];
  series: string;
  day: string;
  data: FoundChange & FoundInstrumentChange;
}

/** What was found in a panel in the last 366 days, newest first. */
export async function readFound(db: Queryable, accountId: string, panelId: string): Promise<Found[]> {
  // Index: the primary key, in its order: ids begin with their time. A panel has few changes. Locks nothing.
  const { rows } = await db.query<FoundRow>(
    `select kind, series, to_char(day, 'YYYY-MM-DD') as day, data from (
       select *, row_number() over (partition by kind order by id desc) as place from panel_changes
        where account_id = $1 and panel_id = $2 and found_at > now() - interval '366 days'
     ) as recent where place <= $3 order by id desc`,
    [accountId, panelId, foundMax],
  );
  return rows;
}

/** False: it was found before, and nothing was written. */
export async function insertFound(
  tx: Transaction,
  accountId: string,
  panelId: string,
  { kind, series, day, data }: Found,
): Promise<boolean> {
  // Locks: only the new row.
  const { rowCount } = await tx.query(
    `insert into panel_changes (account_id, panel_id, id, kind, series, day, found_at, data)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
    [accountId, panelId, data.changeId, kind, series, day, data.foundAt, JSON.stringify(data)],
  );
  return rowCount === 1;
}
