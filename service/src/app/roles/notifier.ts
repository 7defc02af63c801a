import { systemClock } from "../../kernel/clock.ts";
import { Notifier } from "../../webhooks/index.ts";
import type { Parts } from "../parts.ts";

/** The role `notifier`: sends webhook deliveries. */
export function notifierRole({ database, log, masterKey, sender, records, bodyBytesMax, metrics }: Parts): Notifier {
  return new Notifier({
    database,
    clock: systemClock,
    log: log.logger,
    masterKey,
    sender,
    records,
    bodyBytesMax,
    onAttempt: (attempt) => metrics.deliveryAttempt(attempt.next.state),
  });
}
