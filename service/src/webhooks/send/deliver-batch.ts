/** The path of a delivery, from top to bottom: due, leased, signed, sent, recorded. */
import { rowsAs, type Database } from "../../db/index.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { SigningSecrets } from "../signing/signing-secrets.ts";
import {
  nextStep,
  type AttemptRecorder,
  type NotifierLog,
  type Attempted,
  type DeliveryResult,
} from "./record-attempts.ts";
import { claimDeliveries, indexOnly, type Claim, type ClaimedDelivery, type ClaimRequest } from "./claim-deliveries.ts";
import type { ChannelSender } from "./send-channel.ts";
import type { MailSender } from "./send-mail.ts";
import type { Sender, SendOutcome } from "./send.ts";
import { isChannelUrl, mailOrigin } from "../outbox/outbox.ts";
import { signRequest, type Signed, type Signing } from "../signing/signature.ts";
import DataLoader from "dataloader";
import type pg from "pg";
import { rewriteBodies, type ExpireDeps } from "../outbox/expire.ts";
import type { Span, Tracer } from "../../kernel/trace.ts";

export interface DeliverDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: NotifierLog;
  readonly random: () => number;
  readonly contents: ContentLoader;
  readonly secrets: SigningSecrets;
  readonly sender: Sender;
  /** Null: this process sends no mail. */
  readonly mail: MailSender | null;
  /** Null: this process sends nothing to channels. */
  readonly channels: ChannelSender | null;
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
    handBack ||= stop.stopping.aborted || now + timeoutOf(deps, delivery) > batch.leasedUntil;
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

const notSetUp: SendOutcome = { kind: "faulted", fault: "not_set_up", durationMs: 0 };
const isMail = ({ origin }: ClaimedDelivery) => origin === mailOrigin;
const isToChannel = ({ origin }: ClaimedDelivery) => isChannelUrl(origin);

const timeoutOf = ({ sender, mail }: DeliverDeps, delivery: ClaimedDelivery) =>
  (isMail(delivery) ? mail?.totalTimeoutMs : undefined) ?? sender.totalTimeoutMs;

interface Loaded {
  readonly content: DeliveryContent | undefined;
  readonly traceParents: ReadonlyMap<string, string>;
}

/** Sends one delivery. Returns null if the delivery is no longer leased to this process. */
async function attemptOne(
  deps: DeliverDeps,
  delivery: ClaimedDelivery,
  { content, traceParents }: Loaded,
  signal: AbortSignal,
): Promise<DeliveryResult | null> {
  const { log } = deps;
  const isSignedHere = !isMail(delivery) && !isToChannel(delivery);
  const signing = isSignedHere ? await deps.secrets.of(delivery.accountId) : null;
  if (content === undefined || signing === undefined) {
    log.warn({ event: "delivery.lease_lost", deliveryId: delivery.id });
    return null;
  }
  const startedAt = deps.clock.now();
  const { outcome, signed } =
    signing === null
      ? await tellRecipient(deps, { ...delivery, ...content }, signal)
      : await post(
          deps,
          delivery,
          { signing, content, startedAt, traceParent: traceParents.get(content.taskId) },
          signal,
        );
  if (outcome.kind === "ours") {
    if (!signal.aborted) log.error({ event: "delivery.not_sent", deliveryId: delivery.id, error: outcome.error });
    return released(delivery, signal.aborted ? 0 : ownFaultDelayMs);
  }
  const { durationMs, fault } = outcome;
  const { status, retryAfterMs, snippet } =
    outcome.kind === "replied" ? outcome : { status: null, retryAfterMs: null, snippet: null };
  const attempt = delivery.attempts + 1;
  const { isFinal = false, isOfRecipient = false } = outcome.about ?? {};
  const next = nextStep(attempt, { status, retryAfterMs, isFinal }, deps.random());
  const attempted: Attempted = {
    kind: "attempted",
    delivery,
    startedAt,
    durationMs,
    status,
    fault,
    snippet,
    signed,
    next,
    isOfRecipient,
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

/** Sends what is made from its event only now: a mail, or a message to a channel. */
async function tellRecipient(
  { mail, channels, secrets }: DeliverDeps,
  delivery: ClaimedDelivery & DeliveryContent,
  signal: AbortSignal,
): Promise<{ readonly outcome: SendOutcome; readonly signed: Signed | null }> {
  if (isToChannel(delivery))
    return (
      (await channels?.send(delivery, () => secrets.of(delivery.accountId), signal)) ?? {
        ...{ outcome: notSetUp, signed: null },
      }
    );
  return { outcome: (await mail?.send(delivery, signal)) ?? notSetUp, signed: null };
}

interface Posted {
  readonly signing: Signing;
  readonly content: DeliveryContent;
  readonly startedAt: Date;
  readonly traceParent: string | undefined;
}

/** Signs a delivery, and sends it to its endpoint. */
async function post(
  { sender, trace }: DeliverDeps,
  delivery: ClaimedDelivery,
  { signing, content, startedAt, traceParent }: Posted,
  signal: AbortSignal,
): Promise<{ readonly outcome: SendOutcome; readonly signed: Signed }> {
  const request = signRequest(signing, { deliveryId: delivery.id, ...content }, startedAt);
  const send = (headers?: Readonly<Record<string, string>>) =>
    sender.send(headers === undefined ? request : { ...request, headers }, signal);
  const outcome = await (trace === null || traceParent === undefined
    ? send()
    : traceDelivery(trace, traceParent, delivery, content, send));
  return { outcome, signed: request.signed };
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

/** The body of a delivery, and its URL. */
interface DeliveryContent {
  readonly taskId: string;
  readonly url: string;
  readonly body: Buffer;
}

type Contents = ReadonlyMap<string, DeliveryContent>;

/**
 * The maximum of bytes of bodies that a batch has in memory; a longer body is loaded alone. Each slot of the process may use
 * this much.
 */
const batchBytesMax = 512 * 1024;
/** The maximum of batches whose bodies one statement reads. */
const batchesAtOnce = 64;

/**
 * Reads the contents of a batch of claimed deliveries, by id: of the first of them, as many as fit into memory. Missing ones are
 * no longer pending. Batches that are requested in the same turn of the event loop share a statement.
 */
export class ContentLoader extends DataLoader<readonly ClaimedDelivery[], Contents> {
  constructor(deps: ExpireDeps) {
    super((batches) => readContents(deps, batches), { cache: false, maxBatchSize: batchesAtOnce });
  }
}

async function readContents(deps: ExpireDeps, batches: readonly (readonly ClaimedDelivery[])[]): Promise<Contents[]> {
  const wanted = batches.flatMap((deliveries, batch) =>
    deliveries.map(({ accountId, id }) => ({ accountId, id, batch })),
  );
  // The plan is cached, and may be made while the table has one page. Without this setting the planner then scanned the table
  // for each delivery as long as the plan was cached: a read of 500 beside 60,000 took 4 s.
  const [{ rows }] = (await deps.database.transactionOf(
    [
      {
        name: "read_contents",
        text: contentStatement,
        values: wantedRows.values(wanted),
      },
    ],
    { settings: indexOnly },
  )) as [pg.QueryResult<ContentRow>];
  const rewritten = await rewriteBodies(
    deps,
    rows.filter(({ expired }) => expired),
  );
  const contents = batches.map(() => new Map<string, DeliveryContent>());
  for (const { id, batch, taskId, url, body } of rows)
    contents[batch]?.set(id, { taskId, url, body: rewritten.get(id) ?? body });
  return contents;
}

const wantedRows = rowsAs<{ readonly accountId: string; readonly id: string; readonly batch: number }>("k", {
  account_id: ["uuid", (wanted) => wanted.accountId],
  id: ["uuid", (wanted) => wanted.id],
  batch: ["int", (wanted) => wanted.batch],
  nth: ["int", (_, nth) => nth],
});

interface ContentRow {
  id: string;
  batch: number;
  accountId: string;
  taskId: string;
  deliveryRevision: number;
  url: string;
  body: Buffer;
  expired: boolean;
}

// Index: the primary key. The inner limit guides the planner: with a free choice of joins it read all deliveries of an account
// for one, and took 8 s for a claim. A body's length is known without reading the body.
const contentStatement = `
select id, batch, account_id as "accountId", task_id as "taskId", delivery_revision as "deliveryRevision", url, body,
       expires_at is not null and expires_at <= now() as expired
  from (
    select d.*, k.batch, row_number() over batch_order as nth, sum(octet_length(d.body)) over batch_order as bytes
      from ${wantedRows.after(0)}
     cross join lateral (select * from deliveries d where d.account_id = k.account_id and d.id = k.id limit 1) d
     where d.body is not null
    window batch_order as (partition by k.batch order by k.nth)) d
 where nth = 1 or bytes <= ${batchBytesMax}`;

export interface DeliveryTracing {
  readonly tracer: Tracer;
  /** The `traceparent` of the submissions of tasks, by task. */
  readonly parents: (taskIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Receivers get the header `traceparent`. */
  readonly sendsHeader: boolean;
}

/** Sends a delivery in a span below that of its task's submission. */
async function traceDelivery(
  { tracer, sendsHeader }: DeliveryTracing,
  parent: string,
  delivery: ClaimedDelivery,
  { taskId, url }: DeliveryContent,
  send: (headers?: Readonly<Record<string, string>>) => Promise<SendOutcome>,
): Promise<SendOutcome> {
  const { hostname, port } = new URL(url);
  const span = tracer.start("POST webhook", {
    kind: "client",
    parent,
    // Without the path and query, which may contain a secret.
    attributes: {
      "http.request.method": "POST",
      "server.address": hostname,
      "server.port": port === "" ? 443 : Number(port),
      "querent.task.id": taskId,
      "querent.delivery.id": delivery.id,
      "querent.account.id": delivery.accountId,
      "querent.attempt": delivery.attempts + 1,
    },
  });
  const outcome = await tracer.within(span, () => send(sendsHeader ? { traceparent: span.traceParent } : undefined));
  endSpan(span, outcome);
  return outcome;
}

function endSpan(span: Span, outcome: SendOutcome): void {
  if (outcome.kind !== "replied") return span.end({ error: outcome.kind === "faulted" ? outcome.fault : "not_sent" });
  span.set({ "http.response.status_code": outcome.status });
  span.end({ error: outcome.status >= 200 && outcome.status < 300 ? null : String(outcome.status) });
}
