import { keptConsumption } from "../../answers/index.ts";
import type { AskContext } from "../../platforms/index.ts";
import type { Metrics } from "../../telemetry/index.ts";

/** Counts what calls consumed that gave no usable answer. What an answer consumed is counted with its result. */
export function countFailedCalls(
  metrics: Metrics,
  platform: string,
  traced: AskContext["onModelCall"],
): NonNullable<AskContext["onModelCall"]> {
  return (call) => {
    const onOutcome = traced?.(call);
    return (outcome) => {
      onOutcome?.(outcome);
      if (outcome.kind !== "retryable" && outcome.kind !== "permanent") return;
      const consumption = keptConsumption(outcome.consumption ?? null);
      if (consumption !== null) metrics.consumed(platform, consumption);
    };
  };
}
