import type { ObservationFilter, ObservationRecord } from "@querent/contract";
import { scanPage } from "../../api/scan-page.ts";
import type { Queryable } from "../../db/index.ts";
import { observationColumns, observationRecord, type ObservationRow } from "./observation-row.ts";
import { selectionOf } from "./selection.ts";

export interface ObservationListPage {
  readonly observations: ObservationRecord[];
  /** The last observation examined: the next page starts below it. Null: there is nothing below. */
  readonly nextId: string | null;
}

type ScannedRow = ObservationRow & { fits: boolean; nth: number };

/** A page of the account's observations, newest first: those below `beforeId`. See `scanPage` for filters without an index. */
export async function listObservations(
  db: Queryable,
  accountId: string,
  filter: ObservationFilter,
  page: { beforeId: string | null; limit: number },
): Promise<ObservationListPage> {
  const { range, fits, isWhole, values } = selectionOf(accountId, filter);
  const { rows, next } = await scanPage<ScannedRow, string>(
    { before: page.beforeId, limit: page.limit, isWhole },
    (row) => row.id,
    async ({ before, rowsMax, wanted }) => {
      const [below, count, limit] = [1, 2, 3].map((index) => `$${values.length + index}`);
      // Reads `rowsMax` rows of the index, in order. The last row of the step is returned whether it fits or not: the next step
      // starts below it. Locks nothing.
      const { rows: scanned } = await db.query<ScannedRow>(
        `select ${observationColumns}, o.fits, o.nth
           from (select o.*, ${fits} as fits
                   from (select o.*, row_number() over (order by o.id desc)::int as nth from observations o
                          where ${range} and o.id < coalesce(${below}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
                          order by o.id desc limit ${count}::int) o) o
          where o.fits or o.nth = ${count}::int
          order by o.id desc limit ${limit}::int + 1`,
        [...values, before, rowsMax, wanted],
      );
      return {
        rows: scanned.filter((row) => row.fits).slice(0, wanted),
        last: scanned.find(({ nth }) => nth === rowsMax)?.id ?? null,
      };
    },
  );
  return { observations: rows.map(observationRecord), nextId: next };
}
