import { Type, type Static } from "typebox";
import { Figure, FigureInstrument, measureIds } from "./figure.ts";
import { observationKinds } from "./observation.ts";
import { driftSigns } from "./platform.ts";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";

const day = (description: string) => Type.String({ format: "date", description });
const surface = {
  platformCode: Type.String(),
  kind: Type.Enum([...observationKinds]),
  locale: Type.String(),
  persona: Type.String(),
};
const seriesMembers = {
  measure: Type.Enum([...measureIds]),
  definition: Type.String(),
  entityId: Nullable(Uuid, { description: "Null: it is about a site." }),
  domain: Nullable(Type.String(), { description: "Of `citation_rate`: the site. Null: it is about an entity." }),
  ...surface,
};

/** A change of a figure that chance does not explain, with the evidence of both sides. */
export const FoundChange = Type.Object({
  changeId: Uuid,
  panelId: Uuid,
  ...seriesMembers,
  direction: Type.Enum(["up", "down"]),
  difference: Type.Number({
    description:
      "After minus before, of the paired means: each prompt compared with itself, taken with the same instrument.",
  }),
  since: day("The day (UTC) with which it most probably began."),
  earliest: Type.Optional(
    day(
      "The first day with which it may have begun: in 95 % of changes, it is from this day to `latest`. Changes that were found by earlier versions have no such days.",
    ),
  ),
  latest: Type.Optional(day("The last day with which it may have begun.")),
  shape: Type.Optional(
    Nullable(Type.Enum(["sudden", "gradual"]), {
      description:
        "`sudden`: from one day to the next. `gradual`: it goes on since then, or went on for several days. Null: the days do not tell.",
    }),
  ),
  continues: Type.Optional(
    Type.Boolean({ description: "True: the same gradual change as the one before it in this series, which goes on." }),
  ),
  sinceRunId: Nullable(Uuid, { description: "The first run of that day. Null for imported answers." }),
  foundAt: Timestamp,
  prompts: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        "Prompts that stand on both sides, and were compared. Changes that were found by earlier versions do not have it.",
    }),
  ),
  promptsLeftOut: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "Prompts with answers that stand on one side only, because they are new or were reworded.",
    }),
  ),
  evidence: Type.Number({
    description:
      "If nothing had changed, it would reach `threshold` within 28 days with a run in at most one of `threshold` series, also if the runs resemble the ones before.",
  }),
  threshold: Type.Number({
    description:
      "The evidence that it needed, which is higher the more series the panel has: the false discovery rate of all of them is at most 5 %.",
  }),
  before: Figure,
  after: Figure,
});
export type FoundChange = Static<typeof FoundChange>;

/** A change of what answers are taken with, such as a new version of a model. */
export const FoundInstrumentChange = Type.Object({
  changeId: Uuid,
  panelId: Uuid,
  platformCode: surface.platformCode,
  kind: surface.kind,
  since: day("The first day (UTC) of the new instrument, or the first one without the one that is gone."),
  sinceRunId: Nullable(Uuid, { description: "The first run of that day." }),
  foundAt: Timestamp,
  before: Type.Array(FigureInstrument, { description: "Several if they alternated." }),
  after: Type.Array(FigureInstrument),
  figures: Type.Array(
    Type.Object({
      measure: Type.Enum([...measureIds]),
      entityId: Uuid,
      locale: surface.locale,
      persona: surface.persona,
      before: Nullable(Figure),
      after: Nullable(Figure),
    }),
    {
      description: "Presence of own entities on both sides. A difference is that of the instrument, not of the brand.",
    },
  ),
});
export type FoundInstrumentChange = Static<typeof FoundInstrumentChange>;

export const changeVerdicts = ["changed", "not_distinguishable", "not_enough_data", "instrument_changed"] as const;

/** The verdict on one series: one measure of one entity or site on one platform, kind of platform, locale and persona. */
export const SeriesVerdict = Type.Object({
  ...seriesMembers,
  verdict: Nullable(Type.Enum([...changeVerdicts]), {
    description:
      "`changed`: by more than chance explains; see `changeId`. `not_distinguishable` from chance. `not_enough_data`: see `missingDays`. `instrument_changed`: too recently for a comparison. Null: paused, for the reason in `paused`.",
  }),
  from: Nullable(day("The first day that was compared.")),
  to: Nullable(day("The last one.")),
  prompts: Type.Integer({
    minimum: 0,
    description: "Prompts that were asked at the beginning and at the end, in the same words: only these are compared.",
  }),
  promptsLeftOut: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        "Prompts with answers that stand on one side only, because they are new or were reworded. Verdicts of earlier versions do not have it.",
    }),
  ),
  evidence: Nullable(Type.Number({ description: "1: none. Null without a comparison." })),
  threshold: Nullable(Type.Number({ description: "The evidence that is needed." })),
  changeId: Nullable(Uuid, {
    description: "The change, for `changed`; that of the instrument, for `instrument_changed`.",
  }),
  smallestChange: Nullable(
    Type.Object({
      difference: Type.Number(),
      since: day("A change that began on this day is the example."),
    }),
    { description: "For `not_distinguishable`, the smallest change that would have been found. Null if none would." },
  ),
  reason: Type.Optional(
    Nullable(Type.Literal("dependent_runs"), {
      description:
        "Of `not_distinguishable`: it would be a change if the runs were independent of each other, and may as well be something that moves all prompts for several runs. Later runs decide.",
    }),
  ),
  missingDays: Nullable(
    Type.Integer({ minimum: 1, description: "How many more days with a run are needed for a verdict." }),
  ),
  paused: Nullable(
    Type.Object({
      reason: Type.Literal("recipe_drift"),
      since: Timestamp,
      signs: Type.Array(Type.Object({ what: Type.String(), sign: Type.Enum([...driftSigns]) }), {
        description: "As in `health.drift` of `GET /v1/platforms`, without `fallback`.",
      }),
    }),
    { description: "The platform's pages do not match the recipe, so figures may be wrong." },
  ),
});
export type SeriesVerdict = Static<typeof SeriesVerdict>;

export const PanelChanges = Type.Object({
  panelId: Uuid,
  evaluatedAt: Nullable(Timestamp, { description: "Null if no run has been evaluated yet." }),
  series: Type.Array(SeriesVerdict),
  changes: Type.Array(FoundChange, { description: "Those of the last 366 days, newest first, at most 500." }),
  instrumentChanges: Type.Array(FoundInstrumentChange, {
    description: "Those of the last 366 days, newest first, at most 500.",
  }),
});
export type PanelChanges = Static<typeof PanelChanges>;
