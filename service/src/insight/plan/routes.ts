import { api } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route } from "../../api/route.ts";
import { jsonHeaders } from "../figures/routes.ts";
import { bridgePanel } from "./bridge-panel.ts";
import { planPanel, type PlanDeps } from "./plan-panel.ts";

export function planRoutes(deps: PlanDeps): Route[] {
  return [
    route(api.planPanel, async ({ caller: { accountId }, params, body, signal }) => {
      const planned = await planPanel(deps, { accountId, panelId: params.panel_id, signal }, body);
      if (planned === null) throw new ProblemError("not_found", "There is no such panel.");
      return { status: 200, headers: jsonHeaders, body: planned };
    }),

    route(api.bridgePanel, async ({ caller: { accountId }, params, query, signal }) => {
      const asked = { measure: "presence" as const, ...query };
      const bridged = await bridgePanel(deps, { accountId, panelId: params.panel_id, signal }, asked);
      if (bridged === null) throw new ProblemError("not_found", "There is no such panel.");
      return { status: 200, headers: jsonHeaders, body: bridged };
    }),
  ];
}
