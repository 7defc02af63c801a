import { Type, type Static } from "typebox";
import { Closed, Nullable, OptionalOrNull, Uuid } from "./scalars.ts";

/** Measures whose answers have a value from 0 to 1, each of a brand. */
export const waveMeasures = ["presence", "listed", "own_citation_rate"] as const;
/** Not measured any more. Panels of earlier versions keep what they were made with: it is part of their digest. */
export const retiredWaveMeasures = ["recommendation"] as const;
/** The least waves of a run: before, the width is too uncertain to stop for it. */
export const runWavesMin = 15;
export const waveRepeatsDefault = 30;

const width = Type.Number({
  minimum: 0.01,
  maximum: 0.5,
  description:
    "The wanted width of the interval of 95 %, from its low to its high end: `0.08` is 4 points on each side. Of each platform, about these prompts.",
});
const measure = Type.Enum([...waveMeasures, ...retiredWaveMeasures], {
  description:
    "What is to be known. Default: `presence`. `recommendation` is no longer measured and refused; panels that were made with it keep it, and their runs stop after the first wave.",
});
const repeatsMax = Type.Integer({
  minimum: runWavesMin,
  maximum: 100,
  description:
    "How often a run asks a cell at most. A run has so many waves divided by `repeats`, and at least 15. Default: 30.",
});
const pointsMax = Type.Integer({ minimum: 1, description: "A wave that would cost more in all is not asked." });

/** As sent. */
export const AskUntilInput = Closed(
  {
    width,
    measure: OptionalOrNull(measure),
    entityId: OptionalOrNull({ ...Uuid, description: "The brand. Default: the account's oldest own brand." }),
    repeatsMax: OptionalOrNull(repeatsMax),
    pointsMax: OptionalOrNull(pointsMax),
  },
  {
    description:
      "Ask in waves, each cell `repeats` times, until the figure of each platform is known as well as wanted. After the first two waves or so, cells whose answers agree are asked less often. What is not needed is not asked, and no points are held for it.",
  },
);

export const AskUntil = Type.Object({
  width,
  measure,
  entityId: Nullable(Uuid),
  repeatsMax,
  pointsMax: Nullable(pointsMax),
});
export type AskUntil = Static<typeof AskUntil>;

export const waveStops = [
  "width_reached",
  "repeats_max",
  "points_max",
  "refused",
  "canceled",
  "no_answers",
  "nothing_to_measure",
] as const;
const stopped = Nullable(Type.Enum([...waveStops]), {
  description:
    "Why no further wave is asked. `width_reached`: the interval is narrow enough. `repeats_max`, `points_max`: the panel allows no more. `refused`: a cap, the balance or a platform refused the next wave; see `problem`. `canceled`: a task of the run was canceled. `no_answers`: the last wave brought none. `nothing_to_measure`: the account does not have the brand, or every prompt names it, or the measure was taken out; then see `problem`. Null: it goes on.",
});

export const WavesOfPlatform = Type.Object({
  platformCode: Type.String(),
  waves: Type.Integer({ minimum: 0 }),
  answers: Type.Integer({ minimum: 0, description: "Those that say something about the measure." }),
  value: Nullable(Type.Number(), { description: "The figure. Null without answers." }),
  low: Nullable(Type.Number()),
  high: Nullable(Type.Number()),
  width: Nullable(Type.Number(), { description: "The width that was reached. Null before 15 waves." }),
  stopped,
});
export type WavesOfPlatform = Static<typeof WavesOfPlatform>;

export const RunWaves = Type.Object({
  asked: Type.Integer({ minimum: 1, description: "The waves so far." }),
  max: Type.Integer({ minimum: 1, description: "The most waves." }),
  tasksMax: Type.Integer({ minimum: 1, description: "The tasks of so many waves." }),
  pointsMax: Type.Integer({ minimum: 0, description: "The most points." }),
  pointsSaved: Nullable(Type.Integer({ minimum: 0 }), {
    description:
      "The points that were not needed: `pointsMax` without those that were held. Null until it has stopped.",
  }),
  stopped,
  problem: Nullable(Type.Object({ code: Type.String(), detail: Type.String() })),
  platforms: Type.Array(WavesOfPlatform, { description: "What is known of each platform, after its last wave." }),
});
export type RunWaves = Static<typeof RunWaves>;

export const QuotedWaves = Type.Object({
  max: Type.Integer({ minimum: 1, description: "The most waves." }),
  leastPoints: Type.Integer({
    minimum: 0,
    description: "The price of 15 waves in which later waves ask each cell with the least probability, 0.2.",
  }),
  mostPoints: Type.Integer({ minimum: 0 }),
  expectedPoints: Nullable(Type.Integer({ minimum: 0 }), {
    description:
      "The mean of the last runs of this revision, at most ten, that stopped by themselves. Null: there is none; see the plan of the panel.",
  }),
});
export type QuotedWaves = Static<typeof QuotedWaves>;
