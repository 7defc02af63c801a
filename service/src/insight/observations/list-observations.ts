import type { ObservationFilter, ObservationRecord } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { flatColumns } from "./flat-row.ts";
import { listRows, type ListedTable } from "./list-rows.ts";
import { observationColumns, observationRecord, type ObservationRow } from "./observation-row.ts";

export const listedObservations: ListedTable<ObservationRow, ObservationRecord> = {
  table: "observations",
  columns: observationColumns,
  chars: "1000 + length(o.sources::text) + length(o.mentions::text) + length(o.cards::text)",
  recordOf: observationRecord,
  flat: flatColumns,
};

export interface ObservationListPage {
  readonly observations: ObservationRecord[];
  /** The last observation examined: the next page starts below it. Null: there is nothing below. */
  readonly nextId: string | null;
}

/** A page of the account's observations, newest first: those below `beforeId`. */
export async function listObservations(
  db: Queryable,
  accountId: string,
  filter: ObservationFilter,
  page: { beforeId: string | null; limit: number },
): Promise<ObservationListPage> {
  const { records, nextId } = await listRows(db, listedObservations, { accountId, filter }, page);
  return { observations: records, nextId };
}
