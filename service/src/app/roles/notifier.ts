import { systemClock } from "../../kernel/clock.ts";
import { readTraceParents } from "../../tasks/index.ts";
import { Notifier } from "../../webhooks/index.ts";
import type { Parts } from "../parts.ts";

/** The role `notifier`: sends webhook deliveries. */
export function notifierRole(parts: Parts): Notifier {
  const { database, log, masterKey, sender, records, bodyBytesMax, metrics, tracer, config } = parts;
  return new Notifier({
    database,
    clock: systemClock,
    log: log.logger,
    masterKey,
    sender,
    records,
    bodyBytesMax,
    trace:
      tracer === null
        ? null
        : {
            tracer,
            parents: (taskIds) => readTraceParents(database, taskIds),
            sendsHeader: config.traceWebhooks,
          },
    onAttempt: ({ next, durationMs }) => {
      metrics.add("querent_delivery_attempts_total", { outcome: next.state });
      metrics.observe("querent_delivery_attempt_seconds", { outcome: next.state }, durationMs / 1000);
    },
  });
}
