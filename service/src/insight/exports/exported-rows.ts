import type { ObservationRecord } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { observationColumns, observationRecord, type ObservationRow } from "../observations/observation-row.ts";

export interface ExportedRow {
  readonly accountId: string;
  readonly record: ObservationRecord;
}

const rowsAtOnce = 1_000;

interface Position {
  readonly at: string;
  readonly account: string;
  readonly id: string;
}

/** The observations of all accounts that were recorded in a time, oldest first. Times are text, because they have microseconds. */
export async function* exportedRows(
  db: Queryable,
  { from, to }: { readonly from: string; readonly to: string },
): AsyncGenerator<ExportedRow[]> {
  let after: Position | null = null;
  for (;;) {
    // Index: observations_recorded, from the position on. Locks nothing.
    const { rows }: { rows: (ObservationRow & { account_id: string; at: string })[] } = await db.query(
      `select ${observationColumns}, o.account_id, o.recorded_at::text as at from observations o
        where o.recorded_at >= coalesce($3, $1)::timestamptz and o.recorded_at < $2::timestamptz
          and ($3::text is null or (o.recorded_at, o.account_id, o.id) > ($3::timestamptz, $4::uuid, $5::uuid))
        order by o.recorded_at, o.account_id, o.id limit ${rowsAtOnce}`,
      [from, to, ...positionValues(after)],
    );
    if (rows.length > 0) yield rows.map((row) => ({ accountId: row.account_id, record: observationRecord(row) }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return;
    after = { at: last.at, account: last.account_id, id: last.id };
  }
}

const positionValues = (after: Position | null) => [after?.at ?? null, after?.account ?? null, after?.id ?? null];
