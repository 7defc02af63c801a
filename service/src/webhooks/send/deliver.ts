import type { Clock } from "../../kernel/clock.ts";
import type { Finish } from "./finish.ts";
import type { NotifierLog } from "./notifier-log.ts";
import type { DueDelivery, Parcel } from "./parcels.ts";
import { nextStep } from "./schedule.ts";
import type { SendEnd, Sending } from "./send.ts";
import { sign } from "./signature.ts";

export interface DeliverDeps {
  readonly clock: Clock;
  readonly log: NotifierLog;
  readonly random: () => number;
  readonly parcels: { read(delivery: DueDelivery): Promise<Parcel | null> };
  readonly sender: { send(sending: Sending, signal?: AbortSignal): Promise<SendEnd>; readonly totalTimeoutMs: number };
  readonly finisher: { finish(finish: Finish, urgent: boolean): Promise<void> };
  readonly onAttempt: (finish: Extract<Finish, { kind: "attempted" }>) => void;
}

export interface Chain {
  /** Claimed into one slot of a lane: sent one after the other. */
  readonly deliveries: readonly DueDelivery[];
  /** By `performance.now()`, from before the claim. */
  readonly claimedAt: number;
  readonly leaseMs: number;
  /** After so long the rest of a chain is handed back: a slow receiver's other slots, or processes, may be free. */
  readonly holdMs: number;
}

/** After a fault of ours, so that it does not come round at once. */
const ownFaultDelayMs = 5_000;

/**
 * Sends a chain. Only what was really tried spends an attempt; the rest is handed back: after a failure, when time runs out,
 * when the notifier stops, and when the fault is ours. No request begins that could outlast its lease. Resolves when all is
 * recorded.
 */
export async function deliverChain(
  deps: DeliverDeps,
  chain: Chain,
  stop: { readonly stopping: boolean; readonly signal: AbortSignal },
): Promise<{ readonly handedBack: boolean }> {
  const finishing: Promise<void>[] = [];
  const last = chain.deliveries.length - 1;
  let handBack = false;
  for (const [index, delivery] of chain.deliveries.entries()) {
    const age = performance.now() - chain.claimedAt;
    if (age + deps.sender.totalTimeoutMs > chain.leaseMs || (index > 0 && age > chain.holdMs)) handBack = true;
    if (handBack || stop.stopping) {
      finishing.push(deps.finisher.finish({ kind: "released", delivery, delayMs: 0 }, index === last));
      continue;
    }
    const end = await deliverOne(deps, delivery, stop.signal);
    if (end === null) continue;
    // The slot is free when the last of its rows is recorded; the others may wait for company.
    finishing.push(deps.finisher.finish(end, index === last));
    handBack = end.kind === "released" || end.next.state !== "delivered";
  }
  await Promise.all(finishing);
  return { handedBack: handBack || stop.stopping };
}

async function deliverOne(deps: DeliverDeps, delivery: DueDelivery, signal: AbortSignal): Promise<Finish | null> {
  const { log } = deps;
  let parcel: Parcel | null;
  try {
    parcel = await deps.parcels.read(delivery);
  } catch (error) {
    log.error({ event: "delivery.read_failed", deliveryId: delivery.id, error });
    return { kind: "released", delivery, delayMs: ownFaultDelayMs };
  }
  if (parcel === null) {
    log.warn({ event: "delivery.lease_lost", deliveryId: delivery.id });
    return null;
  }
  const startedAt = deps.clock.now();
  const signed = sign(parcel, { deliveryId: delivery.id, body: parcel.body, at: startedAt });
  const end = await deps.sender.send({ deliveryId: delivery.id, ...parcel, signed: { signed, at: startedAt } }, signal);
  if (end.kind === "ours") {
    if (!signal.aborted) log.error({ event: "delivery.not_sent", deliveryId: delivery.id, error: end.error });
    return { kind: "released", delivery, delayMs: signal.aborted ? 0 : ownFaultDelayMs };
  }
  const status = end.kind === "answered" ? end.status : null;
  const next = nextStep(
    delivery.attempts + 1,
    { status, retryAfterMs: end.kind === "answered" ? end.retryAfterMs : null },
    deps.random(),
  );
  const attempted = {
    kind: "attempted" as const,
    delivery,
    startedAt,
    durationMs: end.durationMs,
    status,
    fault: end.fault,
    snippet: end.kind === "answered" ? end.snippet : null,
    signed,
    next,
  };
  log.debug({
    event: "delivery.attempted",
    deliveryId: delivery.id,
    taskId: parcel.taskId,
    attempt: delivery.attempts + 1,
    status,
    fault: end.fault,
    durationMs: end.durationMs,
    state: next.state,
  });
  deps.onAttempt(attempted);
  return attempted;
}
