import type { CallOptions, WebhookRecord } from "@querent/client";
import { querent } from "../../api/querent.ts";

/** Why nothing is sent to the account's endpoint any more. */
export type Suspension =
  | { readonly kind: "gone"; readonly deliveryId: string }
  | { readonly kind: "failing"; readonly days: number }
  | { readonly kind: "unknown" };

const dayMs = 86_400_000;
/** One answer of 410 suspends at once: the delivery that it ended has the same time, but for the two clocks. */
const sameMomentMs = 5000;

/** Reads the reason off the deliveries: the service keeps when it suspended, and every attempt. Null when it did not. */
export async function readSuspension(webhook: WebhookRecord, call: CallOptions): Promise<Suspension | null> {
  if (webhook.status !== "suspended" || webhook.suspendedAt === null) return null;
  const at = Date.parse(webhook.suspendedAt);
  const { deliveries } = await querent.deliveries.page({ state: "failed", limit: 50 }, call);
  const last = deliveries.find(
    ({ toAccountDefault, finishedAt }) =>
      toAccountDefault && finishedAt !== null && Math.abs(Date.parse(finishedAt) - at) <= sameMomentMs,
  );
  if (last !== undefined) {
    const { attempts } = await querent.deliveries.get(last.deliveryId, call);
    if (attempts.at(-1)?.status === 410) return { kind: "gone", deliveryId: last.deliveryId };
  }
  if (webhook.lastSuccessAt === null) return { kind: "unknown" };
  return { kind: "failing", days: Math.max(1, Math.floor((at - Date.parse(webhook.lastSuccessAt)) / dayMs)) };
}
