import { Type, type Static } from "typebox";
import { linkPassword } from "./link-password.ts";
import { observationKinds } from "./observation.ts";
import { Closed, Nullable, OptionalOrNull, StorableText, Timestamp, UtcTimestamp, Uuid } from "./scalars.ts";

/** The window of figures, as requests state it. */
export const figureWindow = {
  from: Type.Optional({
    ...UtcTimestamp,
    description: "Default: 28 days before `to`, or the last seven runs if they began earlier.",
  }),
  to: Type.Optional({ ...UtcTimestamp, description: "The first moment after the window. Default: now." }),
};

/** What is measured. Each has a definition in `GET /v1/measures`. */
export const measureIds = [
  "presence",
  "mention_share",
  "first_place",
  "first_place_of_all",
  "position",
  "listed",
  "own_citation_rate",
  "own_citation_share",
  "citation_rate",
  "citation_share",
  "type_citation_rate",
  "type_citation_share",
  "cited_answers",
  "carded_answers",
  "core_citation_share",
  "source_agreement_within_days",
  "source_agreement_between_days",
  "order_agreement_within_days",
  "order_agreement_between_days",
  "first_place_changes",
  "first_place_changes_between_runs",
  "platform_source_agreement",
  "search_count",
  "answer_length",
  "empty_rate",
  "time_to_answer",
  "price_per_answer",
  "failure_rate",
  "refusal_rate",
  "ad_rate",
  "ad_share",
  "own_ad_rate",
  "own_ad_share",
  "rival_ad_rate",
  "product_rate",
  "product_position",
  "product_share",
  "shop_share",
] as const;
export type MeasureId = (typeof measureIds)[number];

/** What a figure can be split by. */
export const figureSplits = ["none", "prompt", "topic", "run", "day"] as const;

const count = (description: string) => Type.Integer({ minimum: 0, description });

const units = ["share", "position", "searches", "characters", "milliseconds", "points"] as const;

export const Measure = Type.Object({
  id: Type.Enum([...measureIds]),
  definition: Type.String({
    description: "Changes with the meaning of the measure. Figures with different definitions are not comparable.",
  }),
  kind: Type.Enum(["rate", "mean"], { description: "`rate`: from 0 to 1." }),
  per: Type.Enum(["entity", "domain", "source_type", "answer"], {
    description: "What a figure is about besides the answers.",
  }),
  unit: Type.Enum([...units]),
  sample: Nullable(Type.Enum(["runs", "days", "pairs_of_days", "pairs_of_runs"]), {
    description: "What the interval takes for independent of each other. Null: the measure has no interval.",
  }),
  title: Type.String(),
  counts: Type.String(),
  leavesOut: Type.String(),
  formula: Type.String(),
  floor: Type.String({ description: "What is needed at least for an interval." }),
});
export type Measure = Static<typeof Measure>;

export const Measures = Type.Object({ measures: Type.Array(Measure) });
export type Measures = Static<typeof Measures>;

export const FigureInterval = Type.Object({
  low: Type.Number(),
  high: Type.Number(),
  level: Type.Number({ description: "0.95: of such intervals, 95 % contain what they are about." }),
  method: Type.String(),
});

export const FigureInstrument = Type.Object({
  kind: Type.Enum([...observationKinds]),
  modelVersion: Nullable(Type.String()),
  recipe: Nullable(Type.String()),
  reader: Type.Integer({ minimum: 0 }),
  matcher: Nullable(Type.String()),
  sourceRules: Nullable(Type.String()),
  panelRevision: Type.Optional(
    Nullable(Type.Integer({ minimum: 1 }), {
      description:
        "The revision with which the panel began to ask what was asked: other prompts, options or personas are another instrument. Null for answers from elsewhere. Left out where only what a platform answers with is meant.",
    }),
  ),
  brandsSince: Type.Optional(
    Nullable(Timestamp, {
      description:
        "The last change of the panel's brands or of their names before the answers were searched for them: a brand that was added, or a new alias. A recount searches those again that have not expired. Null: the panel had no brands. Left out as above.",
    }),
  ),
});

export const FigureBounds = Type.Object({
  low: Type.Number(),
  high: Type.Number(),
  level: Nullable(Type.Number(), {
    description: "That of the interval. Null: there is no interval, and the bounds are those of the value alone.",
  }),
  missing: count("Answers that are missing: tasks that failed, and answers that the measure could not read."),
  asked: count("The missing ones, and those from which the figure was made."),
});

export const FigureReason = Type.Object({
  code: Type.Enum([
    "too_few_answers",
    "too_few_runs",
    "too_few_days",
    "too_few_pairs_of_days",
    "too_few_pairs_of_runs",
    "too_few_topics",
    "dependent_runs",
    "no_interval",
  ]),
  detail: Type.String(),
  there: count("How many there are."),
  needed: count("How many are needed at least."),
  missing: count("How many more are needed."),
});
export type FigureReason = Static<typeof FigureReason>;

/** A figure with everything that is needed to judge it. */
export const Figure = Type.Object({
  value: Nullable(Type.Number(), { description: "Null if there are no answers from which it could be made." }),
  interval: Nullable(FigureInterval, { description: "Null for the reason in `reason`." }),
  bounds: Type.Optional(
    Nullable(FigureBounds, {
      description:
        "From 2 % of missing answers on, for shares: the lower end of the interval if none of the missing answers had what is measured, and the upper end if all of them had. Figures of changes that were found by earlier versions do not have it.",
    }),
  ),
  scope: Type.Enum(["these_prompts", "prompts_like_these"], {
    description:
      "`these_prompts`: about exactly these prompts. `prompts_like_these`: about the prompts from which these are a sample.",
  }),
  cells: count("Prompts with answers in the figure."),
  answers: count("Answers in the figure."),
  window: Type.Object({ from: Nullable(Timestamp), to: Nullable(Timestamp) }),
  instrument: Type.Array(FigureInstrument, { description: "Everything that its answers were taken with." }),
  blend: Type.Optional(
    Type.Boolean({
      description:
        "Whether its answers were taken with different instruments, which are not comparable: only if that was asked for, and in series of runs and days whose parts have several. Figures of changes that were found by earlier versions do not have it.",
    }),
  ),
  definition: Type.String(),
  reason: Nullable(FigureReason, { description: "Why the value or its interval is missing." }),
  observations: Type.String({ description: "Where the answers are listed that were considered." }),
});
export type Figure = Static<typeof Figure>;

export const FigureGroup = Type.Object(
  {
    platformCode: Type.String(),
    kind: Type.Enum([...observationKinds]),
    locale: Type.String(),
    persona: Type.String(),
    otherPlatformCode: Nullable(Type.String({ description: "The platform that it is compared with." })),
    otherKind: Nullable(Type.Enum([...observationKinds])),
    entityId: Nullable(Uuid),
    domain: Nullable(Type.String()),
    sourceType: Nullable(Type.String()),
    promptId: Nullable(Type.String()),
    topic: Nullable(Type.String()),
    runId: Nullable(Uuid),
    day: Nullable(Type.String({ description: "UTC. Of a run: the day of its first answer." })),
  },
  { description: "What the row is about; null where that does not apply." },
);
export type FigureGroup = Static<typeof FigureGroup>;

export const FigureRow = Type.Object({
  measure: Type.Enum([...measureIds]),
  definition: Type.String(),
  unit: Type.Optional(
    Type.Enum([...units], {
      description: "That of the measure: of values, intervals and bounds. Left out in reports, which keep their form.",
    }),
  ),
  group: FigureGroup,
  brandedPromptsLeftOut: count("Prompts that were left out because their text names the entity."),
  leftOut: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
    description: "How many answers of the group are not in the figure, by reason.",
  }),
  seam: Type.Boolean({
    description:
      "In a series of runs or days: true if the row was not taken with the same instruments as the one before it.",
  }),
  thesePrompts: Figure,
  promptsLikeThese: Figure,
  otherInstruments: Type.Array(
    Type.Object({ instrument: FigureInstrument, thesePrompts: Figure, promptsLikeThese: Figure }),
    {
      description:
        "The same of the answers that were taken with other instruments, the latest first, at most ten: the figures above are of the latest instrument of the surface with enough runs for an interval, or else of the latest one. Empty in series of runs and days, where `seam` says where the instrument changed, and in blends.",
    },
  ),
});
export type FigureRow = Static<typeof FigureRow>;

export const PanelFigures = Type.Object({
  panelId: Uuid,
  revision: Type.Integer({ minimum: 1 }),
  window: Type.Object({ from: Timestamp, to: Timestamp }),
  rows: Type.Array(FigureRow),
});
export type PanelFigures = Static<typeof PanelFigures>;

/** What a link to figures computes each time it is read. */
export const FigureLinkRequest = Closed({
  measure: Type.Optional(
    Type.String({
      pattern: `^(${measureIds.join("|")})(,(${measureIds.join("|")}))*$`,
      maxLength: 1000,
      description: "Measures, separated by commas. Default: the summary.",
    }),
  ),
  entityId: Type.Optional({ ...Uuid, description: "Default: every own entity and every competitor." }),
  domain: Type.Optional(StorableText({ minLength: 1, maxLength: 255, description: "For measures of a domain." })),
  sourceType: Type.Optional(
    StorableText({ minLength: 1, maxLength: 255, description: "For measures of a type of sites." }),
  ),
  by: Type.Optional(Type.Enum([...figureSplits], { description: "One row for each of these. Default: `none`." })),
  platformCode: Type.Optional(StorableText({ minLength: 1, maxLength: 255, description: "Code of a platform." })),
  locale: Type.Optional(
    StorableText({ minLength: 1, maxLength: 255, description: "The locale as in `cell.locale` of observations." }),
  ),
  persona: Type.Optional(StorableText({ minLength: 1, maxLength: 255, description: "The name of the persona." })),
  lastDays: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 366,
      description: "The window: these days until now. Default: 28 days, or the last seven runs if they began earlier.",
    }),
  ),
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 3660, description: "How many days the link works. Default: 366." }),
  ),
  password: OptionalOrNull(linkPassword),
});
export type FigureLinkRequest = Static<typeof FigureLinkRequest>;

/** An address at which anyone who has it reads figures of a panel, as they are then. */
export const FigureLink = Type.Object({
  linkId: Uuid,
  panelId: Uuid,
  url: Nullable(Type.String(), {
    description: "CSV, or JSON with `?format=json`. Null if the service does not know its own public URL.",
  }),
  figures: Type.Omit(FigureLinkRequest, ["days", "password"], { description: "What it computes." }),
  hasPassword: Type.Boolean({
    description: "Whether programs have to send its password, with `Authorization: Basic` and any user name.",
  }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
});
export type FigureLink = Static<typeof FigureLink>;
export const FigureLinks = Type.Object({ links: Type.Array(FigureLink, { description: "Newest first." }) });
export type FigureLinks = Static<typeof FigureLinks>;
