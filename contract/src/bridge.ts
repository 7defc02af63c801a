import { Type, type Static } from "typebox";
import { FigureInterval, measureIds } from "./figure.ts";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";

const count = (description: string) => Type.Integer({ minimum: 0, description });
const value = Nullable(Type.Number());
const interval = Nullable(FigureInterval);

export const BridgedFigure = Type.Object({
  scope: Type.Enum(["these_prompts", "prompts_like_these"]),
  value: Nullable(Type.Number(), {
    description: "The figure of `toPlatform`, from its own answers and those of `fromPlatform`.",
  }),
  interval: Nullable(FigureInterval, { description: "Null for the reason in `reason`." }),
  observedOnly: Type.Object({ value, interval }, { description: "From the pairs' answers of `toPlatform` alone." }),
  lambda: Type.Number({ minimum: 0, maximum: 1, description: "How much the answers of `fromPlatform` count." }),
  gain: Type.Number({
    minimum: 0,
    maximum: 1,
    description: "How much smaller the variance is than that of the answers of `toPlatform` alone.",
  }),
  verdict: Type.Enum(["informs", "tells_nothing", "too_few"], {
    description:
      "`informs`: `fromPlatform` narrows the interval. `tells_nothing`: its answers say nothing, or hardly anything, about those of `toPlatform`. `too_few`: there are too few pairs to tell.",
  }),
  reason: Nullable(
    Type.Object({
      code: Type.Enum(["too_few_pairs", "too_few_runs", "too_few_topics", "same_prompts_in_each_run"]),
      detail: Type.String(),
      there: count("How many there are."),
      needed: count("How many are needed at least."),
    }),
    { description: "Why there is no interval." },
  ),
});
export type BridgedFigure = Static<typeof BridgedFigure>;

export const BridgePair = Type.Object({
  promptId: Type.String(),
  runId: Uuid,
  from: Type.Number({ description: "The mean of the prompt's answers in the run." }),
  to: Type.Number(),
});

export const PanelBridge = Type.Object({
  panelId: Uuid,
  revision: Type.Integer({ minimum: 1 }),
  measure: Type.Enum([...measureIds]),
  definition: Type.String(),
  fromPlatform: Type.String({ description: "The platform that was asked everything." }),
  toPlatform: Type.String({ description: "The platform that was asked a random part, and that is meant." }),
  window: Type.Object({ from: Timestamp, to: Timestamp }),
  thesePrompts: BridgedFigure,
  promptsLikeThese: BridgedFigure,
  pairCount: count("Prompts in runs that both platforms answered."),
  unpairedCount: count("Prompts in runs that only `fromPlatform` answered."),
  pairs: Type.Array(BridgePair, { description: "The pairs, newest run first; at most 1,000." }),
});
export type PanelBridge = Static<typeof PanelBridge>;
