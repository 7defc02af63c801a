import { measureIds, type FoundChange, type FoundInstrumentChange } from "@querent/contract";
import { reportedChangesMax, type ChangeBasis, type FoundFacts } from "@querent/figures";
import type { Queryable, Transaction } from "../../db/index.ts";

/** A change of a figure, or of an instrument. `day`: of the last answers with which it was found, or the first one of the instrument. */
export type Found =
  | {
      readonly kind: "change";
      readonly series: string;
      readonly day: string;
      readonly data: FoundChange;
      readonly basis: ChangeBasis | null;
    }
  | {
      readonly kind: "instrument";
      readonly series: string;
      readonly day: string;
      readonly data: FoundInstrumentChange;
      readonly basis: Pick<ChangeBasis, "leftOutDays"> | null;
    };

/** The greatest number of each kind that is shown and remembered. */
const foundMax = 500;

interface FoundRow {
  kind: Found["kind"];
  series: string;
  day: string;
  data: FoundChange & FoundInstrumentChange;
  basis: ChangeBasis | null;
}

/** What was found in a panel in the last 366 days, newest first; without changes of measures that were taken out. */
export async function readFound(db: Queryable, accountId: string, panelId: string): Promise<Found[]> {
  // Index: the primary key, in its order: ids begin with their time. A panel has few changes. Locks nothing.
  const { rows } = await db.query<FoundRow>(
    `select kind, series, to_char(day, 'YYYY-MM-DD') as day, data, basis from (
       select *, row_number() over (partition by kind order by id desc) as place from panel_changes
        where account_id = $1 and panel_id = $2 and found_at > now() - interval '366 days'
          and (kind <> 'change' or data->>'measure' = any($4))
     ) as recent where place <= $3 order by id desc`,
    [accountId, panelId, foundMax, measureIds],
  );
  return rows.map(foundOf);
}

/** Versions that judged no sites wrote no domains. */
const foundOf = (row: FoundRow): Found =>
  row.kind === "change" ? { ...row, kind: row.kind, data: { ...row.data, domain: row.data.domain ?? null } } : row;

/** False: it was found before, and nothing was written. */
export async function insertFound(
  tx: Transaction,
  accountId: string,
  panelId: string,
  { kind, series, day, data, basis }: Found,
): Promise<boolean> {
  // Locks: only the new row.
  const { rowCount } = await tx.query(
    `insert into panel_changes (account_id, panel_id, id, kind, series, day, found_at, data, basis)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
    [accountId, panelId, data.changeId, kind, series, day, data.foundAt, JSON.stringify(data), jsonOrNull(basis)],
  );
  return rowCount === 1;
}

const jsonOrNull = (value: object | null) => (value === null ? null : JSON.stringify(value));

/** What was found in a window, newest first, as it stands in a report; without changes of measures that were taken out. */
export async function readFoundWithin(
  db: Queryable,
  { accountId, panelId, window }: { accountId: string; panelId: string; window: { from: string; to: string } },
): Promise<FoundFacts> {
  // Index: the primary key. A panel has few changes. Locks nothing.
  const { rows } = await db.query<FoundRow>(
    `select kind, series, to_char(day, 'YYYY-MM-DD') as day, data, basis from (
       select *, row_number() over (partition by kind order by id desc) as place from panel_changes
        where account_id = $1 and panel_id = $2 and found_at >= $3 and found_at < $4
          and (kind <> 'change' or data->>'measure' = any($6))
     ) as recent where place <= $5 order by id desc`,
    [accountId, panelId, window.from, window.to, reportedChangesMax, measureIds],
  );
  const found = rows.map(foundOf);
  return {
    changes: found.flatMap((one) => {
      if (one.kind !== "change") return [];
      const { panelId: _, sinceRunId: __, ...change } = one.data;
      return [{ ...change, basis: one.basis }];
    }),
    instrumentChanges: found.flatMap((one) => {
      if (one.kind !== "instrument") return [];
      const { panelId: _, sinceRunId: __, ...change } = one.data;
      return [{ ...change, leftOutDays: one.basis?.leftOutDays ?? null }];
    }),
  };
}
