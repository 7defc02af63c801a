import { Type } from "typebox";
import { PanelPrices, PanelSearches, priceSeriesMax, searchesMax } from "./answer-parts.ts";
import { figureWindow } from "./figure.ts";
import { searchKinds } from "./observation.ts";
import { json, operation, usual } from "./operation.ts";
import { Closed, StorableText, Uuid } from "./scalars.ts";
import { ofPanel } from "./tool-arguments.ts";

const text = (description: string) => Type.Optional(StorableText({ minLength: 1, maxLength: 255, description }));
const limit = (maximum: number, what: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, default: 50, description: `The most ${what}. Default: 50.` }));
const surface = {
  platformCode: text("Code of a platform."),
  locale: text("The locale as in `cell.locale` of observations."),
  persona: text("The name of the persona."),
} as const;

export const listPanelSearches = operation({
  id: "listPanelSearches",
  method: "GET",
  path: "/v1/panels/{panel_id}/searches",
  tag: "Figures",
  summary: "List the searches behind answers",
  description:
    "Which searches a platform made to answer the prompts of a panel (the fan-out), or which related questions and searches it showed beside its answers: how often, in how many answers, which brands they name, and which are new or gone. These are counts, without intervals.",
  scope: "reports:read",
  params: Closed({ panel_id: Uuid }),
  query: Closed({
    kind: Type.Optional(
      Type.Enum([...searchKinds], { default: "search", description: "Default: the searches that were made." }),
    ),
    by: Type.Optional(
      Type.Enum(["none", "prompt"], { default: "none", description: "`prompt`: a row for each prompt." }),
    ),
    promptId: text("Only answers to this prompt."),
    entityId: Type.Optional({ ...Uuid, description: "Only searches that name this entity." }),
    ...surface,
    limit: limit(searchesMax, "searches of a row"),
    ...figureWindow,
  }),
  replies: { 200: { description: "The searches.", content: json(PanelSearches) } },
  problems: [...usual, "not_found"],
  tool: {
    name: "searches",
    title: "Searches behind answers",
    description:
      "Lists the searches that platforms made to answer the prompts of a panel (fan-out), or the related questions or searches that they showed: how often, which brands they name, and which are new or gone. Counts, without intervals.",
    arguments: ofPanel,
  },
});

export const listPanelPrices = operation({
  id: "listPanelPrices",
  method: "GET",
  path: "/v1/panels/{panel_id}/prices",
  tag: "Figures",
  summary: "List the prices of products over time",
  description:
    "The prices of the products that answers to the prompts of a panel show, by product, shop and currency, for each day and for the window: the lowest, the highest, and from five prices on the median and quartiles. They are prices as platforms showed them, which need not be those of the shop. Products of imported answers are of no brand, because their headings are not searched.",
  scope: "reports:read",
  params: Closed({ panel_id: Uuid }),
  query: Closed({
    entityId: Type.Optional({ ...Uuid, description: "Only products whose headings name this entity." }),
    shop: text("Only products of this shop: as in the reply."),
    currency: text("Only prices in this currency: as in the reply."),
    promptId: text("Only answers to this prompt."),
    ...surface,
    limit: limit(priceSeriesMax, "series"),
    ...figureWindow,
  }),
  replies: { 200: { description: "The prices.", content: json(PanelPrices) } },
  problems: [...usual, "not_found"],
  tool: {
    name: "prices",
    title: "Prices of products over time",
    description:
      "Lists the prices of the products that answers show, by product, shop, currency and day: the lowest, the highest, and where there are enough, the median and quartiles. Never combine currencies.",
    arguments: ofPanel,
  },
});
