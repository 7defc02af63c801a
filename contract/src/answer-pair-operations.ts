import { Type } from "typebox";
import { PanelPairs, pairMeasures } from "./answer-pair.ts";
import { figureWindow } from "./figure.ts";
import { observationKinds } from "./observation.ts";
import { json, operation, usual } from "./operation.ts";
import { Closed, StorableText, Uuid } from "./scalars.ts";
import { ofPanel, toolLimit } from "./tool-arguments.ts";

const text = (description: string) => Type.Optional(StorableText({ minLength: 1, maxLength: 255, description }));

export const listPairs = operation({
  id: "listPairs",
  method: "GET",
  path: "/v1/panels/{panel_id}/pairs",
  tag: "Figures",
  summary: "List the pairs of answers that disagree",
  description:
    "Exactly the pairs of answers of which a figure of stability is the mean, each with what was compared: which pairs disagree, and how. A brand that is first in one answer and not in the other may be another brand, or the same under a name that no entity has.",
  scope: "reports:read",
  params: Closed({ panel_id: Uuid }),
  query: Closed({
    measure: Type.Optional(
      Type.Enum([...pairMeasures], {
        default: "first_place_changes_between_runs",
        description: "Default: `first_place_changes_between_runs`.",
      }),
    ),
    all: Type.Optional(Type.Boolean({ default: false, description: "Whether pairs that agree are listed, too." })),
    promptId: text("Only pairs of this prompt."),
    platformCode: text("Code of a platform."),
    locale: text("The locale as in `cell.locale` of observations."),
    persona: text("The name of the persona."),
    kind: Type.Optional(
      Type.Enum([...observationKinds], { description: "The kind of platform. Default: pairs of every kind." }),
    ),
    ...figureWindow,
  }),
  replies: { 200: { description: "The pairs.", content: json(PanelPairs) } },
  problems: [...usual, "not_found"],
  tool: {
    name: "pairs",
    title: "Pairs of answers that disagree",
    description:
      "Lists the pairs of answers to the same prompt of which a figure of stability is the mean, by default those that name another brand first from one run to the next. Read the answers themselves with the tool results.",
    arguments: { ...ofPanel, limit: toolLimit(100) },
  },
});
