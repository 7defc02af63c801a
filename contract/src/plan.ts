import { Type, type Static } from "typebox";
import { measureIds } from "./figure.ts";
import { observationKinds } from "./observation.ts";
import { Closed, Nullable, StorableText, Timestamp, UtcTimestamp, Uuid } from "./scalars.ts";

const name = (description: string) => Type.Optional(StorableText({ minLength: 1, maxLength: 255, description }));
const count = (description: string) => Type.Integer({ minimum: 0, description });
const deviation = (description: string) => Type.Number({ minimum: 0, maximum: 1_000_000, description });

export const planScopes = ["these_prompts", "prompts_like_these"] as const;

const assumptions = {
  value: Type.Number({ minimum: 0, maximum: 1_000_000, description: "The figure." }),
  betweenTopics: deviation("Standard deviation between topics."),
  betweenPrompts: deviation("Standard deviation between the prompts of a topic."),
  betweenRuns: deviation("Standard deviation of what a run does to all prompts alike."),
};

/** What is wanted of a plan. */
export const PlanRequest = Closed(
  {
    measure: Type.Enum([...measureIds]),
    entityId: Type.Optional({ ...Uuid, description: "For measures of an entity." }),
    domain: name("For measures of a domain."),
    sourceType: name("For measures of a type of sites."),
    platformCode: StorableText({ minLength: 1, maxLength: 255, description: "A platform of the panel." }),
    locale: name("The locale as in `cell.locale` of observations. Required if the panel has several."),
    persona: name("The name of the persona. Required if the panel has several."),
    scope: Type.Enum([...planScopes]),
    width: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1_000_000,
      description:
        "The wanted width of the interval of 95 %, from its low to its high end: `0.08` is 4 points on each side.",
    }),
    runsMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: "The most runs. Default: 60." })),
    runsPerDay: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 24, description: "How often the panel runs. Default: once a day." }),
    ),
    repeatsMax: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: "The most repeats of a prompt in a run. Default: 10." }),
    ),
    from: Type.Optional({
      ...UtcTimestamp,
      description:
        "The pilot: answers from then on. Default: 28 days before `to`, or the last seven runs if they began earlier.",
    }),
    to: Type.Optional({ ...UtcTimestamp, description: "The first moment after the pilot. Default: now." }),
    assume: Type.Optional(
      Closed(
        {
          ...assumptions,
          betweenAnswers: Type.Optional(
            deviation("Standard deviation between repeats. Default for rates: what a rate of `value` leaves."),
          ),
        },
        { description: "What to assume instead of computing it from a pilot." },
      ),
    ),
  },
  {
    description: "What is wanted of a plan.",
    examples: [
      {
        measure: "empty_rate",
        platformCode: "sample",
        scope: "these_prompts",
        width: 0.08,
        assume: { value: 0.3, betweenTopics: 0.2, betweenPrompts: 0.1, betweenRuns: 0 },
      },
    ],
  },
);
export type PlanRequest = Static<typeof PlanRequest>;

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

export const PlanDesign = Type.Object({
  topics: count("Topics."),
  prompts: count("Prompts in all."),
  runs: count("Runs."),
  days: count("Days that the runs take."),
  repeats: count("How often a run asks each prompt."),
  answers: count("Answers of this platform: prompts x runs x repeats."),
  points: count("Points for them at the prices of today."),
  panelPoints: count("Points if all platforms, locales and personas of the panel are asked as often."),
  width: Type.Number({ description: "The width to expect: half of such panels get a narrower interval." }),
  likely: Type.Object(
    { low: Type.Number(), high: Type.Number() },
    {
      description:
        "The width is between these in 80 % of such panels. Few runs, or a small pilot, make this range wide.",
    },
  ),
  variance: Type.Object(
    {
      topics: share("From the choice of topics and prompts: only more of them reduce it."),
      runs: share("From what a run does to all prompts alike: only more runs reduce it."),
      answers: share("From the answers of each prompt: more runs or repeats reduce it."),
    },
    { description: "Where the rest of the width comes from, as shares of the variance." },
  ),
  bound: Type.Enum(["width", "runs", "topics"], {
    description:
      "What it cannot have less of. `width`: fewer answers would not reach the width. `runs`, `topics`: it is at the floor below which no interval is computed, or its width cannot be promised.",
  }),
});
export type PlanDesign = Static<typeof PlanDesign>;

export const PanelPlan = Type.Object({
  panelId: Uuid,
  revision: Type.Integer({ minimum: 1 }),
  measure: Type.Enum([...measureIds]),
  definition: Type.String(),
  scope: Type.Enum([...planScopes]),
  wantedWidth: Type.Number(),
  pilot: Nullable(
    Type.Object({
      kind: Type.Enum([...observationKinds]),
      locale: Type.String(),
      persona: Type.String(),
      topics: count("Topics."),
      prompts: count("Prompts."),
      runs: count("Runs."),
      window: Type.Object({ from: Timestamp, to: Timestamp }),
    }),
    { description: "What the deviations were computed from. Null: assumptions, or no pilot that suffices." },
  ),
  deviations: Nullable(
    Type.Object({
      ...assumptions,
      ofRunAndPrompt: deviation("Standard deviation of what a run does to one prompt: its repeats have it in common."),
      betweenAnswers: deviation("Standard deviation between the repeats of a prompt in a run."),
      areRepeatsKnown: Type.Boolean({
        description: "False: the pilot asked no prompt twice in a run, so repeats are taken to be independent.",
      }),
    }),
  ),
  samePrompts: Nullable(PlanDesign, { description: "With the prompts of the panel. Null for the reason in `reason`." }),
  moreTopics: Nullable(PlanDesign, {
    description: "For `prompts_like_these`: with the number of topics that is cheapest. Null: not with 1,000 prompts.",
  }),
  least: Nullable(PlanDesign, {
    description:
      "The narrowest that the prompts of the panel can reach, with the most runs and repeats. Null: below the floor of topics or runs.",
  }),
  inWaves: Nullable(
    Type.Object({
      waves: Type.Number({ minimum: 0, description: "Waves." }),
      answers: count("Answers of this platform."),
      points: count("Points for them at the prices of today."),
      reached: share("The part of such runs that reach the width with at most `repeatsMax` waves, or 100."),
    }),
    {
      description:
        "What one run with `askUntil` is expected to need: the mean of 40 simulated ones with the rates of the pilot. Its interval is that of the moment of the run. Null: without a pilot, or for a measure or scope that no run can stop for.",
    },
  ),
  changes: Nullable(
    Type.Object({
      threshold: Type.Number({ description: "The evidence that is needed among the series of the panel." }),
      runsBefore: count("So many runs with no change come before, on a day each."),
      smallest: Type.Array(
        Type.Object({
          runs: count("The runs since the change, on a day each."),
          difference: Nullable(Type.Number(), { description: "Null: no change is found so often." }),
        }),
      ),
    }),
    {
      description:
        "The smallest changes of the figure that are found within some runs in 80 % of 60 simulated panels, with the prompts and repeats of the panel. Null: without deviations, or for a measure or entity whose changes are not looked for.",
    },
  ),
  reason: Nullable(
    Type.Object({
      code: Type.Enum(["pilot_too_small", "too_few_topics", "too_few_runs", "width_not_reached"]),
      detail: Type.String(),
    }),
    { description: "Why the prompts of the panel cannot reach the width." },
  ),
});
export type PanelPlan = Static<typeof PanelPlan>;
