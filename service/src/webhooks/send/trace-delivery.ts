import type { Span, Tracer } from "../../kernel/trace.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";
import type { DeliveryContent } from "./read-contents.ts";
import type { SendOutcome } from "./send.ts";

export interface DeliveryTracing {
  readonly tracer: Tracer;
  /** The `traceparent` of the submissions of tasks, by task. */
  readonly parents: (taskIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Receivers get the header `traceparent`. */
  readonly sendsHeader: boolean;
}

/** Sends a delivery in a span below that of its task's submission. */
export async function traceDelivery(
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
