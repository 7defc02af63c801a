import { Type, type Static } from "typebox";
import { FigureInstrument, FigureInterval, measureIds } from "./figure.ts";
import { observationKinds } from "./observation.ts";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** One of the two sides of a comparison: the answers of one surface of a panel, or of an import. */
export const ComparedArm = Type.Object({
  panelId: Uuid,
  revision: Type.Integer({ minimum: 1 }),
  platformCode: Type.String(),
  kind: Type.Enum([...observationKinds]),
  locale: Type.String(),
  persona: Type.String(),
  importId: Nullable(Uuid),
  window: Type.Object({ from: Timestamp, to: Timestamp }),
  answers: count("Answers of the arm, also those to prompts that the other arm does not have."),
});

const ArmValue = Type.Object({
  value: Nullable(Type.Number(), { description: "Over the prompts of both arms." }),
  answers: count("Answers to these prompts."),
  runs: count("Runs of these answers; without a run, days."),
  instrument: Type.Array(FigureInstrument, {
    description: "What the answers were taken with: the latest instrument with enough runs.",
  }),
});

export const differenceReasons = [
  "no_common_prompts",
  "too_few_runs",
  "too_few_days",
  "too_few_pairs_of_days",
  "too_few_pairs_of_runs",
  "too_few_topics",
  "dependent_runs",
  "no_interval",
] as const;

export const Difference = Type.Object({
  scope: Type.Enum(["these_prompts", "prompts_like_these"]),
  value: Nullable(Type.Number(), {
    description: "The value of `other` minus that of `one`, each over the same prompts with the same weights.",
  }),
  interval: Nullable(FigureInterval, {
    description:
      "Of the difference. `these_prompts`: from how the answers of each arm vary from run to run. `prompts_like_these`: from how the topics' differences vary. Null for the reason in `reason`.",
  }),
  p: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: "How probable a difference at least as large is if there is none.",
    }),
  ),
  adjustedP: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        "The p-value adjusted for all differences of this scope in the comparison (Benjamini and Hochberg): of the differences with at most 0.05, at most 5 % are expected to be none.",
    }),
  ),
  reason: Nullable(
    Type.Object({
      code: Type.Enum([...differenceReasons]),
      detail: Type.String(),
      arm: Nullable(Type.Enum(["one", "other"]), {
        description: "The arm that has too few. Null: it is not about one arm.",
      }),
      there: count("How many there are."),
      needed: count("How many are needed at least."),
    }),
    { description: "Why there is no difference, or no interval." },
  ),
});
export type Difference = Static<typeof Difference>;

export const ComparisonRow = Type.Object({
  measure: Type.Enum([...measureIds]),
  definition: Type.String(),
  entityId: Nullable(Uuid),
  domain: Nullable(Type.String()),
  sourceType: Nullable(Type.String()),
  one: ArmValue,
  other: ArmValue,
  prompts: count("Prompts that have a value in both arms: only these are compared."),
  unpaired: count("Prompts of both arms that have a value in only one of them."),
  topics: count("Topics of the prompts that are compared."),
  bounds: Nullable(Type.Object({ low: Type.Number(), high: Type.Number() }), {
    description:
      "From 2 % of missing answers in an arm on, for shares: the least and the greatest difference, whatever the missing answers would have said.",
  }),
  thesePrompts: Difference,
  promptsLikeThese: Difference,
});
export type ComparisonRow = Static<typeof ComparisonRow>;

export const PanelComparison = Type.Object({
  one: ComparedArm,
  other: ComparedArm,
  commonPrompts: count(
    "Prompts that both arms have: those of the panel, or of two panels, those in exactly the same words.",
  ),
  rows: Type.Array(ComparisonRow),
});
export type PanelComparison = Static<typeof PanelComparison>;
