/** The path of a delivery, from top to bottom: due, leased, signed, sent, recorded. */
import type { Database } from "../../db/index.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { SigningSecrets } from "../signing/signing-secrets.ts";
import type { AttemptRecorder, NotifierLog } from "./attempt-recorder.ts";
import { claimDeliveries, type Claim, type ClaimedDelivery, type ClaimRequest } from "./claim-deliveries.ts";
import type { ContentLoader, DeliveryContent } from "./read-contents.ts";
import type { Attempted, DeliveryResult } from "./record-attempts.ts";
import { nextStep } from "./schedule.ts";
import type { Sender } from "./send.ts";
import { signRequest } from "../signing/signature.ts";
import { traceDelivery, type DeliveryTracing } from "./trace-delivery.ts";

export interface DeliverDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: NotifierLog;
  readonly random: () => number;
  readonly contents: ContentLoader;
  readonly secrets: SigningSecrets;
  readonly sender: Sender;
  /** Traces deliveries; null if this process traces nothing. */
  readonly trace: DeliveryTracing | null;
  readonly recorder: AttemptRecorder;
  readonly onAttempt: (attempt: Attempted) => void;
}

/** Deliveries that were leased for one slot of a destination, sent one after the other. */
export interface LeasedBatch {
  readonly accountId: string;
  readonly late: boolean;
  readonly deliveries: readonly ClaimedDelivery[];
  /** The time before which the lease does not expire, by `performance.now()`. */
  readonly leasedUntil: number;
  /** After this time no further delivery is started, and the rest is handed back: other slots or processes may be free. */
  readonly heldUntil: number;
}

export interface Stop {
  /** Its abort lets no further delivery start. */
  readonly stopping: AbortSignal;
  /** Aborts requests in flight. */
  readonly requests: AbortSignal;
}

/** The delay after an error on our side, so that the delivery is not retried immediately. */
const ownFaultDelayMs = 5_000;

/** From due to leased: claims what is due for the free slots. */
export async function leaseBatches(
  database: Database,
  request: ClaimRequest,
  holdMs: number,
): Promise<Omit<Claim, "rows"> & { batches: LeasedBatch[] }> {
  // Taken before the database starts the lease.
  const claimedAt = performance.now();
  const { rows, ...claim } = await claimDeliveries(database, request);
  const slots = Map.groupBy(rows, (row) => `${row.accountId} ${row.slot} ${row.origin}`);
  const times = { leasedUntil: claimedAt + request.leaseMs, heldUntil: claimedAt + holdMs };
  const batches = [...slots.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ accountId: first.accountId, late: first.late, deliveries: [first, ...others], ...times }],
  );
  return { ...claim, batches };
}

/**
 * From leased to recorded. Only a request that was really sent uses up an attempt. The rest is handed back after a failure,
 * when the time is over, when the notifier stops, and after an error on our side. No request starts that could outlast its
 * lease. Resolves when everything is recorded.
 */
export async function deliverBatch(
  deps: DeliverDeps,
  batch: LeasedBatch,
  stop: Stop,
): Promise<{ handedBack: boolean }> {
  const recording: Promise<void>[] = [];
  let contents: ReadonlyMap<string, DeliveryContent> = new Map();
  let traceParents: ReadonlyMap<string, string> = new Map();
  let handBack = false;
  for (const [index, delivery] of batch.deliveries.entries()) {
    const now = performance.now();
    handBack ||= stop.stopping.aborted || now + deps.sender.totalTimeoutMs > batch.leasedUntil;
    handBack ||= index > 0 && now > batch.heldUntil;
    let finish: DeliveryResult | null = released(delivery, 0);
    if (!handBack) {
      try {
        // Bounds the memory for long bodies: each read returns as many as fit, starting with this delivery.
        if (!contents.has(delivery.id)) {
          contents = await deps.contents.load(batch.deliveries.slice(index));
          if (deps.trace !== null) traceParents = await parentsOf(deps.trace, contents);
        }
        finish = await attemptOne(deps, delivery, { content: contents.get(delivery.id), traceParents }, stop.requests);
      } catch (error) {
        deps.log.error({ event: "delivery.read_failed", deliveryId: delivery.id, error });
        finish = released(delivery, ownFaultDelayMs);
      }
    }
    if (finish === null) continue;
    recording.push(deps.recorder.record(finish));
    handBack ||= finish.kind === "released" || finish.next.state !== "delivered";
  }
  await Promise.all(recording);
  return { handedBack: handBack };
}

/** Signs and sends one delivery. Returns null if the delivery is no longer leased to this process. */
async function attemptOne(
  deps: DeliverDeps,
  delivery: ClaimedDelivery,
  { content, traceParents }: { content: DeliveryContent | undefined; traceParents: ReadonlyMap<string, string> },
  signal: AbortSignal,
): Promise<DeliveryResult | null> {
  const { log } = deps;
  const signing = await deps.secrets.of(delivery.accountId);
  if (content === undefined || signing === undefined) {
    log.warn({ event: "delivery.lease_lost", deliveryId: delivery.id });
    return null;
  }
  const startedAt = deps.clock.now();
  const request = signRequest(signing, { deliveryId: delivery.id, ...content }, startedAt);
  const send = (headers?: Readonly<Record<string, string>>) =>
    deps.sender.send(headers === undefined ? request : { ...request, headers }, signal);
  const traceParent = traceParents.get(content.taskId);
  const outcome = await (deps.trace === null || traceParent === undefined
    ? send()
    : traceDelivery(deps.trace, traceParent, delivery, content, send));
  if (outcome.kind === "ours") {
    if (!signal.aborted) log.error({ event: "delivery.not_sent", deliveryId: delivery.id, error: outcome.error });
    return released(delivery, signal.aborted ? 0 : ownFaultDelayMs);
  }
  const { durationMs, fault } = outcome;
  const { status, retryAfterMs, snippet } =
    outcome.kind === "replied" ? outcome : { status: null, retryAfterMs: null, snippet: null };
  const attempt = delivery.attempts + 1;
  const next = nextStep(attempt, { status, retryAfterMs }, deps.random());
  const attempted: Attempted = {
    kind: "attempted",
    delivery,
    startedAt,
    durationMs,
    status,
    fault,
    snippet,
    signed: request.signed,
    next,
  };
  log.debug({
    event: "delivery.attempted",
    deliveryId: delivery.id,
    taskId: content.taskId,
    attempt,
    status,
    fault,
    durationMs,
    state: next.state,
  });
  deps.onAttempt(attempted);
  return attempted;
}

/** The `traceparent` of the tasks' submissions. A trace is never a reason for a delivery to fail. */
function parentsOf(
  trace: DeliveryTracing,
  contents: ReadonlyMap<string, DeliveryContent>,
): Promise<ReadonlyMap<string, string>> {
  return trace.parents([...contents.values()].map(({ taskId }) => taskId)).catch(() => new Map<string, string>());
}

function released(delivery: ClaimedDelivery, delayMs: number): DeliveryResult {
  return { kind: "released", delivery, delayMs };
}
