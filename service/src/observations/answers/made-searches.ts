import type { ObservedSearch } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { firstIdAt, millisecondAt } from "../../kernel/ids.ts";

/** A search that answers have, with the newest of them. */
export interface MadeSearch {
  readonly query: string;
  readonly kind: ObservedSearch["kind"];
  readonly answers: number;
  readonly observationId: string;
  readonly panelId: string;
  readonly runId: string | null;
  readonly taskId: string | null;
  readonly platformCode: string;
}

/** Answers that are read, the newest of each panel. */
export const searchingAnswersMax = 50_000;

/** The searches of the answers of some panels in a window, those in most answers first. */
export async function readMadeSearches(
  db: Queryable,
  accountId: string,
  {
    panelIds,
    from,
    to,
    limit,
  }: { readonly panelIds: readonly string[]; readonly from: string; readonly to: string; readonly limit: number },
): Promise<MadeSearch[]> {
  if (panelIds.length === 0) return [];
  // Index: observations_panel, for each panel from its end. Locks nothing.
  const { rows } = await db.query<MadeSearch & Record<string, unknown>>(
    `select s.query, s.kind, count(distinct o.id)::int as answers, (max(o.id::text)) as "observationId",
            (array_agg(o.panel_id order by o.id desc))[1] as "panelId", (array_agg(o.run_id order by o.id desc))[1] as "runId",
            (array_agg(o.task_id order by o.id desc))[1] as "taskId", (array_agg(o.platform order by o.id desc))[1] as "platformCode"
       from unnest($2::uuid[]) as panels(id)
      cross join lateral (select id, panel_id, run_id, task_id, platform, searches from observations
                           where account_id = $1 and panel_id = panels.id and id >= $3::uuid and id < $4::uuid
                             and searches is not null
                           order by id desc limit $5) o
      cross join lateral jsonb_to_recordset(o.searches) as s(kind text, query text)
      where s.query <> ''
      group by s.query, s.kind order by answers desc, s.query, s.kind limit $6`,
    [
      ...[accountId, panelIds, firstIdAt(millisecondAt(from)), firstIdAt(millisecondAt(to))],
      ...[Math.ceil(searchingAnswersMax / panelIds.length), limit],
    ],
  );
  return rows;
}
