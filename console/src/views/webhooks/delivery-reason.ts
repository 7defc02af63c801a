import type { DeliveryDetail } from "@querent/client";
import { taskMessages } from "../../i18n/task.ts";
import { webhooksMessages } from "../../i18n/webhooks.ts";

/** Why a delivery stands as it does, in a sentence. */
export function reasonOf(delivery: DeliveryDetail): string {
  const t = webhooksMessages.value.reasons;
  const last = delivery.attempts.at(-1);
  const isMail = delivery.url?.startsWith("mailto:") === true;
  const isToChannel = delivery.url?.startsWith("channel:") === true;
  const result =
    last === undefined
      ? null
      : last.status !== null
        ? `${isMail ? "SMTP" : "HTTP"} ${last.status}`
        : last.fault === null
          ? "–"
          : taskMessages.value.faults[last.fault];
  switch (delivery.state) {
    case "delivered":
      return isMail ? t.mailTaken : t.delivered(last?.status ?? 200);
    case "skipped":
      return t.skipped;
    case "superseded":
      return t.superseded;
    case "failed":
      if (isToChannel && delivery.failureReason === "gone") return t.channelGone;
      if (delivery.failureReason === "channel_removed") return t.channelRemoved;
      if (isToChannel && delivery.failureReason === "refused") return t.channelRefused(result ?? "–");
      if (delivery.failureReason === "refused") return t.mailRefused(result ?? "–");
      if (delivery.failureReason === "unsubscribed") return t.unsubscribed;
      if (delivery.failureReason === "expired") return t.expired;
      return delivery.failureReason === "gone" ? t.gone : t.exhausted(delivery.attemptCount, result ?? "–");
    case "pending":
      if (delivery.phase === "held") return t.paused;
      if (delivery.waitingFor === "receiver_failing") return t.receiverFailing;
      return result === null ? t.notTried : t.pending(result);
  }
}
