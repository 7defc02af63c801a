import type { MetricDefinition } from "./metric-definition.ts";

/** What accounts share: places, searches for entities, and the memory of computations. */
export const placeMetrics = {
  querent_places_taken: {
    type: "gauge",
    help: "Places in use, of those that accounts share.",
    labels: {
      kind: "`event_streams`, `waits`, `exports`, `lists`, `free`, `figures` (small computations), `searches` or `large_bodies`",
    },
  },
  querent_places_waiting: {
    type: "gauge",
    help: "Requests that wait for a place.",
    labels: {
      kind: "as in `querent_places_taken`; `figures_memory` for a process that computes, `results` for sending a large result",
    },
  },
  querent_places_refused_total: {
    type: "counter",
    help: "Requests for which there was no place.",
    labels: {
      kind: "as in `querent_places_waiting`",
      reason: "`account`: it has as much under way as it may have (429); `process`: all accounts together have (503)",
    },
  },
  querent_figures_processes: {
    type: "gauge",
    help: "Processes that compute figures, reports, diffs, plans or changes.",
  },
  querent_figures_memory_bytes: { type: "gauge", help: "Memory that these processes may use." },
  querent_figures_memory_max_bytes: { type: "gauge", help: "Memory that all of them together may use." },
  querent_results_sending_bytes: { type: "gauge", help: "Large results in memory that clients are reading." },
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
