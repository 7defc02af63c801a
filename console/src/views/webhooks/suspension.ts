import type { WebhookRecord } from "@querent/client";

/** Why nothing is sent to the account's endpoint any more. */
export type Suspension =
  | { readonly kind: "gone" }
  | { readonly kind: "failing"; readonly days: number }
  | { readonly kind: "unknown" };

const dayMs = 86_400_000;

/** Why the endpoint is suspended; null while it is not. `days` says how long nothing had succeeded when it was. */
export function suspensionOf({
  status,
  suspendedAt,
  suspendedReason,
  lastSuccessAt,
}: WebhookRecord): Suspension | null {
  if (status !== "suspended" || suspendedAt === null) return null;
  if (suspendedReason === "gone") return { kind: "gone" };
  if (lastSuccessAt === null) return { kind: "unknown" };
  return {
    kind: "failing",
    days: Math.max(1, Math.floor((Date.parse(suspendedAt) - Date.parse(lastSuccessAt)) / dayMs)),
  };
}
