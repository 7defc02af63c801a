/** The metrics of searches for entities, which `catalogue` includes. */
import type { MetricDefinition } from "./metric-definition.ts";

export const searchMetrics = {
  querent_entity_searches_total: {
    type: "counter",
    help: "Texts that were searched for the entities of their account, or were not.",
    labels: {
      outcome:
        "`searched`; `limit`: the entities or their matches take too much work; `busy`: too many texts were waiting",
      where: "`here`: on the main thread; `process`: in a process of its own",
    },
  },
  querent_entity_searches_waiting: { type: "gauge", help: "Texts that wait for a process that searches them." },
} as const satisfies Readonly<Record<string, MetricDefinition>>;
