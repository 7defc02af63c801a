import { json, operation, usual, withBody } from "./operation.ts";
import { PanelPlan, PlanRequest } from "./plan.ts";
import { Closed, Uuid } from "./scalars.ts";

export const planPanel = operation({
  id: "planPanel",
  method: "POST",
  path: "/v1/panels/{panel_id}/plan",
  tag: "Figures",
  summary: "Plan a panel for a wanted interval",
  description:
    "How many prompts, runs and repeats give a figure an interval of the wanted width, and what they cost: computed from the panel's own answers as a pilot, or from assumptions. Says what more runs and repeats cannot reach, because topics differ. Nothing is asked or changed. A pilot has answers to at least 5 prompts in at least 3 runs; the larger it is, the better the plan is kept.",
  scope: "panels:read",
  audit: false,
  free: true,
  params: Closed({ panel_id: Uuid }),
  body: { schema: PlanRequest, required: true, bytesMax: 64 * 1024 },
  replies: { 200: { description: "The plan.", content: json(PanelPlan) } },
  problems: [...usual, ...withBody, "not_found"],
});
