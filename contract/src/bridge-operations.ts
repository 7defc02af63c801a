import { Type } from "typebox";
import { PanelBridge } from "./bridge.ts";
import { figureWindow, measureIds } from "./figure.ts";
import { json, operation, usual } from "./operation.ts";
import { Closed, StorableText, Uuid } from "./scalars.ts";

const text = (description: string) => StorableText({ minLength: 1, maxLength: 255, description });

export const bridgePanel = operation({
  id: "bridgePanel",
  method: "GET",
  path: "/v1/panels/{panel_id}/bridge",
  tag: "Figures",
  summary: "Estimate a figure of one platform with the help of another",
  description:
    "A figure of a platform that is asked only a random part, such as a web page (`platformShare` of the panel), from its own answers and those of a platform that is asked everything, such as an API (prediction-powered inference). It is right whatever the other platform's answers are worth, and says when they are worth nothing. Prompts count equally.",
  scope: "reports:read",
  params: Closed({ panel_id: Uuid }),
  query: Closed({
    measure: Type.Optional(Type.Enum([...measureIds], { default: "presence", description: "Default: `presence`." })),
    fromPlatform: text("Code of the platform that is asked everything."),
    toPlatform: text("Code of the platform that the figure is about."),
    entityId: Type.Optional({ ...Uuid, description: "For measures of an entity." }),
    domain: Type.Optional(text("For measures of a domain.")),
    sourceType: Type.Optional(text("For measures of a type of sites.")),
    locale: Type.Optional(text("The locale as in `cell.locale` of observations. Required if the panel has several.")),
    persona: Type.Optional(text("The name of the persona. Required if the panel has several.")),
    ...figureWindow,
  }),
  replies: { 200: { description: "The figure in both scopes.", content: json(PanelBridge) } },
  problems: [...usual, "not_found"],
});
