import type { ObservationRecord } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { firstIdAt, millisecondAt } from "../../kernel/ids.ts";
import { observationColumns, observationRecord, type ObservationRow } from "./observation-row.ts";

/** Rows that are read at once: few, because each may have many sources. */
const rowsAtOnce = 200;

/** The public records of a panel's answers in a window, oldest first. */
export async function* panelRecords(
  db: Queryable,
  selection: { readonly accountId: string; readonly panelId: string; readonly from: string; readonly to: string },
): AsyncGenerator<ObservationRecord[]> {
  const { accountId, panelId, from, to } = selection;
  for (let after: string | null = null; ;) {
    // Index: observations_panel, in its order. Locks nothing.
    const { rows }: { rows: ObservationRow[] } = await db.query<ObservationRow & Record<string, unknown>>(
      `select ${observationColumns} from observations o
        where o.account_id = $1 and o.panel_id = $2 and o.id >= $3::uuid and o.id < $4::uuid and o.prompt_id is not null
          and ($5::uuid is null or o.id > $5)
        order by o.id limit $6::int`,
      [accountId, panelId, firstIdAt(millisecondAt(from)), firstIdAt(millisecondAt(to)), after, rowsAtOnce],
    );
    if (rows.length > 0) yield rows.map(observationRecord);
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return;
    after = last.id;
  }
}
