import { Type, type Static } from "typebox";
import { observationKinds } from "./observation.ts";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";

/** The measures whose figures are means over pairs of answers of one surface. */
export const pairMeasures = [
  "source_agreement_within_days",
  "source_agreement_between_days",
  "order_agreement_within_days",
  "order_agreement_between_days",
  "first_place_changes",
  "first_place_changes_between_runs",
] as const;

/** The most pairs of a reply. */
export const pairsMax = 1000;

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const PairedAnswer = Type.Object({
  observationId: Uuid,
  taskId: Nullable(Uuid),
  runId: Nullable(Uuid),
  observedAt: Timestamp,
  items: Type.Array(Type.String(), {
    description:
      "What is compared: the domains of its sources, or the ids of the own entities and competitors in the order in which it names them. Of measures of the first place, only the first one.",
  }),
});

export const AnswerPair = Type.Object({
  promptId: Type.String(),
  platformCode: Type.String(),
  kind: Type.Enum([...observationKinds]),
  locale: Type.String(),
  persona: Type.String(),
  value: Type.Number({ minimum: 0, maximum: 1, description: "What the pair adds to the mean." }),
  differs: Type.Boolean({ description: "Whether the answers do not agree completely." }),
  one: PairedAnswer,
  other: PairedAnswer,
});

export const PanelPairs = Type.Object({
  panelId: Uuid,
  revision: Type.Integer({ minimum: 1 }),
  measure: Type.Enum([...pairMeasures]),
  definition: Type.String(),
  window: Type.Object({ from: Timestamp, to: Timestamp }),
  pairCount: count("All pairs of which the figures are the means."),
  differingCount: count("Those whose answers differ."),
  pairs: Type.Array(AnswerPair, {
    description: `Those that differ, or all with \`all=true\`, prompt by prompt: at most ${pairsMax.toLocaleString("en")}.`,
  }),
});
export type PanelPairs = Static<typeof PanelPairs>;
