import { api } from "@querent/contract";
import { decodeCursor, encodeCursor } from "../../api/cursor.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route } from "../../api/route.ts";
import type { Database } from "../../db/index.ts";
import { diffPanelRuns } from "./diff-panel-runs.ts";

export function diffRoutes({ database }: { readonly database: Database }): Route[] {
  return [
    route(api.diffPanelRun, async ({ caller, params, query }) => {
      const { with: withRun = null, results = "false", limit = 50, cursor, ...selection } = query;
      const from = cursor === undefined ? 0 : Number(decodeCursor(cursor, /^\d{1,6}$/));
      const diff = await diffPanelRuns(database, caller.accountId, {
        ...selection,
        panelId: params.panel_id,
        runId: params.run_id,
        withRun,
        results: results === "true",
      });
      if (diff === null)
        throw new ProblemError(
          "not_found",
          withRun === null
            ? "The panel has no such run, or no run before it to compare with."
            : "The panel does not have both of these runs, or one of them was not started.",
        );
      const { page, changeCount, ...whole } = diff;
      const to = from + limit;
      const nextCursor = to < changeCount ? encodeCursor(String(to)) : null;
      return { status: 200, body: { ...whole, changes: await page(from, to), nextCursor } };
    }),
  ];
}
