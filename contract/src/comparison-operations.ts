import { Type } from "typebox";
import { PanelComparison } from "./comparison.ts";
import { figureWindow, measureIds } from "./figure.ts";
import { observationKinds } from "./observation.ts";
import { figureAnswersMax, figureDaysMax } from "./figure-operations.ts";
import { json, operation, usual } from "./operation.ts";
import { Closed, StorableText, UtcTimestamp, Uuid } from "./scalars.ts";
import { ofPanel } from "./tool-arguments.ts";

const kind = Type.Optional(
  Type.Enum([...observationKinds], {
    description: "The kind of platform. Default: answers that the service has asked for, if there are any.",
  }),
);
const text = (description: string) => Type.Optional(StorableText({ minLength: 1, maxLength: 255, description }));

export const comparePanel = operation({
  id: "comparePanel",
  method: "GET",
  path: "/v1/panels/{panel_id}/comparison",
  tag: "Figures",
  summary: "Compare two panels, platforms, locales or imports",
  description: `How two arms differ that were asked the same prompts: the value of the other arm minus that of the first one, over the prompts that have a value in both, each with an interval, a p-value and a p-value that is adjusted for all differences of the comparison. The first arm is the panel; \`with…\` says in what the other one differs. Each arm is of one platform, kind of platform, locale and persona, and its figures are of one instrument. Not for changes over time: those are judged after each run by \`GET /v1/panels/{panel_id}/changes\`. A window has at most ${figureDaysMax} days, and each arm at most ${figureAnswersMax.toLocaleString("en")} answers.`,
  scope: "reports:read",
  params: Closed({ panel_id: Uuid }),
  query: Closed({
    measure: Type.Optional(
      Type.String({
        pattern: `^(${measureIds.join("|")})(,(${measureIds.join("|")}))*$`,
        maxLength: 1000,
        description: "Measures, separated by commas. Default: the summary, as in `GET /v1/panels/{panel_id}/figures`.",
      }),
    ),
    entityId: Type.Optional({
      ...Uuid,
      description: "For measures of an entity. Default: every own entity and every competitor.",
    }),
    domain: text("For measures of a domain. Default: the ten that most answers of both arms cite."),
    sourceType: text("For measures of a type of sites. Default: the ten that most answers of both arms cite."),
    platformCode: text("Code of the platform. Required if the panel has answers of several."),
    locale: text("The locale as in `cell.locale` of observations. Required if there are several."),
    persona: text("The name of the persona. Required if there are several."),
    kind,
    importId: Type.Optional({ ...Uuid, description: "Only answers of this import." }),
    ...figureWindow,
    withPanelId: Type.Optional({
      ...Uuid,
      description:
        "The panel of the other arm. Default: the same. Of two panels, prompts with exactly the same text are compared.",
    }),
    withPlatformCode: text("The platform of the other arm. Default: the same."),
    withLocale: text("The locale of the other arm. Default: the same."),
    withPersona: text("The persona of the other arm. Default: the same."),
    withKind: kind,
    withImportId: Type.Optional({ ...Uuid, description: "Only answers of this import." }),
    withFrom: Type.Optional({ ...UtcTimestamp, description: "Default: the same as `from`." }),
    withTo: Type.Optional({ ...UtcTimestamp, description: "Default: the same as `to`." }),
  }),
  replies: { 200: { description: "The differences.", content: json(PanelComparison) } },
  problems: [...usual, "not_found"],
  tool: {
    name: "compare",
    title: "Compare two panels, platforms, locales or imports",
    description:
      "Says how two sides differ that were asked the same prompts: another panel, platform, locale, persona, import or window. Each difference comes with its interval, for exactly these prompts and for prompts like these, and a p-value that is adjusted for all differences of the comparison. Not for changes over time: use the tool changes.",
    names: { measure: "measures" },
    arguments: {
      ...ofPanel,
      measures: Type.Optional(
        Type.Array(Type.String({ pattern: "^[a-z_]{1,40}$" }), {
          minItems: 1,
          maxItems: 50,
          description: "Such as presence or mention_share. Default: the summary.",
        }),
      ),
      entityId: Type.Optional({ ...Uuid, description: "From the tool panels." }),
      withPanelId: Type.Optional({ ...Uuid, description: "The other panel, from the tool panels. Default: the same." }),
    },
  },
});
