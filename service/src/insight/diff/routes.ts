import { api } from "@querent/contract";
import { decodeCursor } from "../../api/cursor.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route } from "../../api/route.ts";
import { jsonHeaders } from "../figures/routes.ts";
import { diffPanelRuns, type DiffDeps } from "./diff-panel-runs.ts";

export function diffRoutes(deps: DiffDeps): Route[] {
  return [
    route(api.diffPanelRun, async ({ caller: { accountId }, params, query, signal }) => {
      const { with: withRun = null, results = "false", limit = 50, cursor, ...selection } = query;
      const diff = await diffPanelRuns(
        deps,
        { accountId, signal },
        {
          ...selection,
          panelId: params.panel_id,
          runId: params.run_id,
          withRun,
          results: results === "true",
          from: cursor === undefined ? 0 : Number(decodeCursor(cursor, /^\d{1,6}$/)),
          limit,
        },
      );
      if (diff === null)
        throw new ProblemError(
          "not_found",
          withRun === null
            ? "The panel has no such run, or no run before it to compare with."
            : "The panel does not have both of these runs, or one of them was not started.",
        );
      return { status: 200, headers: jsonHeaders, body: diff };
    }),
  ];
}
