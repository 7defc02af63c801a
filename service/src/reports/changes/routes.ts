import { api } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route } from "../../api/route.ts";
import type { Database } from "../../db/index.ts";
import { jsonHeaders } from "../figures/routes.ts";
import { getPanel } from "../../panels/definitions/panels.ts";
import { readEvaluation } from "./evaluations.ts";
import { readFound } from "./found-changes.ts";

export function changeRoutes({ database }: { readonly database: Database }): Route[] {
  return [
    route(api.getChanges, async ({ caller: { accountId }, params: { panel_id: panelId } }) => {
      if ((await getPanel(database, accountId, panelId)) === null)
        throw new ProblemError("not_found", "There is no such panel.");
      const evaluation = await readEvaluation(database, accountId, panelId);
      const found = await readFound(database, accountId, panelId);
      const head = { panelId, evaluatedAt: evaluation?.evaluatedAt.toISOString() ?? null };
      const changes = found.flatMap((one) => (one.kind === "change" ? [one.data] : []));
      const instrumentChanges = found.flatMap((one) => (one.kind === "instrument" ? [one.data] : []));
      // The verdicts are sent as they are stored: there may be many, and they are not parsed for it.
      const members = [
        JSON.stringify(head).slice(1, -1),
        `"series":${evaluation?.verdicts ?? "[]"}`,
        `"changes":${JSON.stringify(changes)}`,
        `"instrumentChanges":${JSON.stringify(instrumentChanges)}`,
      ];
      return { status: 200, headers: jsonHeaders, body: `{${members.join(",")}}` };
    }),
  ];
}
