import { Type, type Static } from "typebox";
import { observationKinds, searchKinds } from "./observation.ts";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";

const count = (description: string) => Type.Integer({ minimum: 0, description });
const surface = {
  platformCode: Type.String(),
  kind: Type.Enum([...observationKinds]),
  locale: Type.String(),
  persona: Type.String(),
} as const;
const ofPanel = {
  panelId: Uuid,
  revision: Type.Integer({ minimum: 1 }),
  window: Type.Object({ from: Timestamp, to: Timestamp }),
} as const;

/** The most searches of a row, and the most series of prices of a reply. */
export const searchesMax = 200;
export const priceSeriesMax = 500;

const SearchHalf = Type.Object({
  with: count("Answers of this half with the search."),
  answers: count("Answers of this half to the prompts that were answered in both halves."),
});

export const PanelSearch = Type.Object({
  query: Type.String({ description: "As it is written most often. Case and what separates words make no difference." }),
  answers: count("Answers with it."),
  share: Type.Number({ minimum: 0, maximum: 1, description: "Of the answers of the row." }),
  times: count("How often it was made: an answer can have it several times."),
  prompts: count("Prompts to which an answer has it."),
  entityIds: Type.Array(Uuid, { description: "The panel's own entities and competitors that it names." }),
  firstSeenAt: { ...Timestamp, description: "In the window." },
  lastSeenAt: Timestamp,
  trend: Type.Enum(["new", "gone", "in_both", "not_distinguishable"], {
    description:
      "`new`: in no answer of the earlier half, and in more of the later half than chance explains. `gone`: the other way round. `in_both`: in answers of both halves. `not_distinguishable`: in one half alone, which may be chance.",
  }),
  pValue: Nullable(Type.Number({ minimum: 0, maximum: 1 }), {
    description:
      "How likely chance puts all of its answers into one half: exact, within prompts, adjusted for the number of searches of the row (Benjamini and Hochberg). Null: in both halves, or too few for any verdict.",
  }),
  earlier: SearchHalf,
  later: SearchHalf,
});
export type PanelSearch = Static<typeof PanelSearch>;

export const SearchedEntity = Type.Object({
  entityId: Uuid,
  answers: count("Answers with a search that names it, to prompts that don't."),
  of: count("Answers of the row to prompts whose text does not name it."),
  share: Nullable(Type.Number({ minimum: 0, maximum: 1 }), { description: "Null if there are no such answers." }),
});

export const PanelSearchRow = Type.Object({
  ...surface,
  promptId: Nullable(Type.String({ description: "Null: all prompts together." })),
  answers: count("Answers whose searches are known, also those that made none."),
  leftOut: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
    description:
      "Answers whose searches are not known: `not_reported`, the platform does not report them; `not_recorded`, an earlier version recorded the answer.",
  }),
  middle: Nullable(Timestamp, {
    description: "Between the earlier and the later half: the middle between the first and the last answer.",
  }),
  queryCount: count("Different searches."),
  entities: Type.Array(SearchedEntity),
  searches: Type.Array(PanelSearch, { description: "Those in most answers first." }),
});
export type PanelSearchRow = Static<typeof PanelSearchRow>;

export const PanelSearches = Type.Object({
  ...ofPanel,
  kind: Type.Enum([...searchKinds]),
  rows: Type.Array(PanelSearchRow),
});
export type PanelSearches = Static<typeof PanelSearches>;

const amount = (description: string) => Type.Number({ minimum: 0, description });

const spread = {
  offers: count("Product cards with a price."),
  answers: count("Answers that show them."),
  lowest: amount("The lowest price."),
  lowerQuartile: Nullable(Type.Number({ minimum: 0 })),
  median: Nullable(Type.Number({ minimum: 0 })),
  upperQuartile: Nullable(Type.Number({ minimum: 0 })),
  highest: amount("The highest price."),
  reason: Nullable(
    Type.Object({
      code: Type.Enum(["too_few_prices"]),
      there: count("How many there are."),
      needed: count("How many are needed."),
    }),
    { description: "Why there are no median and quartiles: they are stated from 5 prices on." },
  ),
} as const;

export const PriceSpread = Type.Object(spread);
export type PriceSpread = Static<typeof PriceSpread>;

export const PriceSeries = Type.Object({
  ...surface,
  product: Type.String({
    description:
      "The title as it is written most often. Titles that differ in case, or in what separates words, are one product.",
  }),
  entityIds: Type.Array(Uuid, { description: "The entities that its headings name." }),
  shop: Type.String({
    description: "The domain that it leads to; if that is not known, the shop as it is named. Empty if neither is.",
  }),
  currency: Type.String({
    description:
      "The ISO 4217 code; or the sign, such as `$`, if several currencies have it and the locale does not tell which. Currencies are never combined nor converted.",
  }),
  ...spread,
  days: Type.Array(Type.Object({ day: Type.String({ description: "UTC." }), ...spread })),
});
export type PriceSeries = Static<typeof PriceSeries>;

export const PanelPrices = Type.Object({
  ...ofPanel,
  offers: count("All product cards of the selection."),
  leftOut: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
    description:
      "Product cards that are in no series: `no_price`, they show none; `not_one_price`, a range, a lower bound, or several prices; `recurring`, a price for each month or the like; `no_currency`; `not_understood`.",
  }),
  seriesCount: count("All series."),
  series: Type.Array(PriceSeries, { description: "Those with most prices first." }),
});
export type PanelPrices = Static<typeof PanelPrices>;
