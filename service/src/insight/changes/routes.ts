import { api } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route } from "../../api/route.ts";
import type { Database } from "../../db/index.ts";
import { getPanel } from "../panels/panels.ts";
import { readEvaluation } from "./evaluations.ts";
import { readFound } from "./found-changes.ts";

export function changeRoutes({ database }: { readonly database: Database }): Route[] {
  return [
    route(api.getChanges, async ({ caller: { accountId }, params: { panel_id: panelId } }) => {
      if ((await getPanel(database, accountId, panelId)) === null)
        throw new ProblemError("not_found", "There is no such panel.");
      const evaluation = await readEvaluation(database, accountId, panelId);
      const found = await readFound(database, accountId, panelId);
      return {
        status: 200,
        body: {
          panelId,
          evaluatedAt: evaluation?.evaluatedAt.toISOString() ?? null,
          series: evaluation?.verdicts ?? [],
          changes: found.flatMap((one) => (one.kind === "change" ? [one.data] : [])),
          instrumentChanges: found.flatMap((one) => (one.kind === "instrument" ? [one.data] : [])),
        },
      };
    }),
  ];
}
