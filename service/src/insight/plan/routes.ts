import { api } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route } from "../../api/route.ts";
import { planPanel, type PlanDeps } from "./plan-panel.ts";

export function planRoutes(deps: PlanDeps): Route[] {
  return [
    route(api.planPanel, async ({ caller, params, body }) => {
      const planned = await planPanel(deps, caller.accountId, params.panel_id, body);
      if (planned === null) throw new ProblemError("not_found", "There is no such panel.");
      return { status: 200, body: planned };
    }),
  ];
}
