import { inProject, json, operation, usual, withBody } from "./operation.ts";
import { PromptProposalRequest, PromptProposals } from "./prompt-proposal.ts";
import { Closed } from "./scalars.ts";

export const proposePrompts = operation({
  id: "proposePrompts",
  method: "POST",
  path: "/v1/prompt-proposals",
  tag: "Panels",
  summary: "Propose prompts for a panel",
  description:
    "Collects what people and platforms ask from the sources of the request, merges what says the same, groups it by topic, and marks what names a brand. No model is asked: the same request gets the same proposals as long as what it reads stays the same. Nothing is stored, but the pages of `site` are requested from its server. Send `draw` with the panel, so that it says from how many proposals its prompts were chosen.",
  scope: "panels:write",
  projects: "within",
  audit: false,
  free: "rate",
  query: Closed({ project: inProject }),
  body: { schema: PromptProposalRequest, required: true, bytesMax: 16 * 1024 ** 2 },
  replies: { 200: { description: "The proposals.", content: json(PromptProposals) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});
