import { Type } from "typebox";
import {
  FigureLink,
  FigureLinkRequest,
  FigureLinks,
  figureSplits,
  figureWindow,
  measureIds,
  Measures,
  PanelFigures,
} from "./figure.ts";
import { json, operation, usual, withBody } from "./operation.ts";
import { reportLanguages } from "./report.ts";
import { Closed, StorableText, Uuid } from "./scalars.ts";
import { ofPanel } from "./tool-arguments.ts";

const tag = "Figures";
const name = (description: string) => Type.Optional(StorableText({ minLength: 1, maxLength: 255, description }));

/** The most days of the window of a figure. Default: 28. */
export const figureDaysMax = 366;
export const figureDaysDefault = 28;
/** The most answers that one request may read. */
export const figureAnswersMax = 200_000;

export const getFigures = operation({
  id: "getFigures",
  method: "GET",
  path: "/v1/panels/{panel_id}/figures",
  tag,
  summary: "Compute figures of a panel",
  description: `Figures from the observations of a panel: each with its value, an interval for each of two scopes, the number of answers, the window, the instruments, its definition, and where its answers are listed. A figure that cannot be stated is null, with a reason and with how many more answers, runs or topics are needed. There is one row for each platform, kind of platform, locale and persona: they are never added up. Neither are instruments: without \`by\`, and by prompt or topic, a figure is of the latest instrument with enough runs for an interval, and those of the others stand beside it. The prompts are those of the current revision. A window has at most ${figureDaysMax} days, and a request reads at most ${figureAnswersMax.toLocaleString("en")} answers. With \`Accept: text/csv\`, the rows are CSV: one for each figure and scope.`,
  scope: "reports:read",
  params: Closed({ panel_id: Uuid }),
  query: Closed({
    measure: Type.Optional(
      Type.String({
        pattern: `^(${measureIds.join("|")})(,(${measureIds.join("|")}))*$`,
        maxLength: 1000,
        description: "Measures, separated by commas. Default: the summary.",
      }),
    ),
    entityId: Type.Optional({
      ...Uuid,
      description: "For measures of an entity. Default: every own entity and every competitor.",
    }),
    domain: name(
      "For measures of a domain. Default: the ten that most answers cite, or that advertise beside or sell in most answers.",
    ),
    sourceType: name("For measures of a type of sites, such as `news`. Default: the ten that most answers cite."),
    by: Type.Optional(
      Type.Enum([...figureSplits], { default: "none", description: "One row for each of these. Default: `none`." }),
    ),
    blend: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Whether each figure is made from the answers of all instruments together, which are not comparable. A figure of several says `blend: true`.",
      }),
    ),
    platformCode: name("Code of a platform."),
    locale: name("The locale as in `cell.locale` of observations."),
    persona: name("The name of the persona."),
    ...figureWindow,
  }),
  replies: {
    200: { description: "The figures.", content: { "application/json": PanelFigures, "text/csv": Type.String() } },
  },
  problems: [...usual, "not_found"],
  tool: {
    name: "figures",
    title: "Figures of a panel",
    description:
      "Computes figures of a panel's answers, such as how often a brand is named. Each comes with its interval for exactly these prompts and for prompts like these, the number of answers, the period and its definition: state them together. One row for each platform, locale and persona, which are never added up. Neither are instruments (model versions): a figure is of the latest one with enough runs, and the others stand beside it. Default: the summary for every own brand and competitor, with failure_rate and refusal_rate: if many tasks fail, the other figures may be biased.",
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
      blend: Type.Optional(
        Type.Boolean({
          description: "Add up answers of all instruments, which are not comparable. Say so beside such a figure.",
        }),
      ),
    },
  },
});

const params = Closed({ panel_id: Uuid });
/** The most links to figures of an account that work at the same time. */
export const figureLinksMax = 100;

export const createFigureLink = operation({
  id: "createFigureLink",
  method: "POST",
  path: "/v1/panels/{panel_id}/figures/links",
  tag,
  summary: "Make an address for figures",
  description: `Makes an address at which figures of the panel are read without a token, as CSV or JSON, as they are then: for Google Sheets (\`IMPORTDATA\`), Looker Studio, Power BI and Excel. Whoever has it reads these figures and nothing else, until it expires or is revoked. An account has at most ${figureLinksMax}.`,
  scope: "panels:write",
  free: true,
  params,
  body: { schema: FigureLinkRequest, required: true, bytesMax: 16_384 },
  replies: { 201: { description: "The address.", content: json(FigureLink) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});

export const listFigureLinks = operation({
  id: "listFigureLinks",
  method: "GET",
  path: "/v1/panels/{panel_id}/figures/links",
  tag,
  summary: "List the addresses of a panel's figures",
  description: "Those that have not expired.",
  scope: "panels:read",
  params,
  replies: { 200: { description: "The addresses.", content: json(FigureLinks) } },
  problems: [...usual, "not_found"],
});

export const revokeFigureLink = operation({
  id: "revokeFigureLink",
  method: "DELETE",
  path: "/v1/panels/{panel_id}/figures/links/{link_id}",
  tag,
  summary: "Revoke the address of figures",
  scope: "panels:write",
  free: true,
  params: Closed({ panel_id: Uuid, link_id: Uuid }),
  replies: { 204: { description: "The address does not work any more." } },
  problems: [...usual, "not_found"],
});

export const getLinkedFigures = operation({
  id: "getLinkedFigures",
  method: "GET",
  path: "/f/{token}",
  tag: "Pages",
  summary: "Read figures at their address",
  description:
    "The target of the link. Requires no token, only the URL, which cannot be guessed. Who reads it again within five minutes gets what was computed before. An address with a password takes it with `Authorization: Basic` and any user name. Returns 410 once the link has expired or was revoked, or what it reads was deleted.",
  scope: null,
  open: true,
  params: Closed({ token: Type.String({ description: "The last part of the URL." }) }),
  query: Closed({
    format: Type.Optional(Type.Enum(["csv", "json"], { default: "csv", description: "Default: `csv`." })),
  }),
  replies: {
    200: { description: "The figures.", content: { "text/csv": Type.String(), "application/json": PanelFigures } },
  },
  problems: [
    "malformed_request",
    "validation_failed",
    "link_password_required",
    "not_found",
    "gone",
    "rate_limited",
    "internal",
    "unavailable",
  ],
});

export const listMeasures = operation({
  id: "listMeasures",
  method: "GET",
  path: "/v1/measures",
  tag,
  summary: "List what is measured",
  description: "The definition of each measure: what it counts, what it leaves out, its formula, unit and floor.",
  scope: "reports:read",
  projects: "none",
  query: Closed({
    language: Type.Optional(
      Type.Enum([...reportLanguages], {
        description:
          "The language of what a measure counts, what it leaves out, and its formula, where they are translated. Default: `en`.",
      }),
    ),
  }),
  replies: { 200: { description: "The measures.", content: json(Measures) } },
  problems: usual,
});
