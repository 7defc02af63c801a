import type { BatchRecord } from "@querent/client";
import { distance, now } from "../../ui/time.tsx";
import { batchesMessages } from "../../i18n/batches.ts";

/** When it ended, or is to end. */
export function endOf({ state, etaAt }: Pick<BatchRecord, "state" | "etaAt">): string {
  const t = batchesMessages.value;
  if (state === "finished") return t.finished;
  return etaAt === null ? t.noPace : t.endsAt(distance(Math.max(1000, Date.parse(etaAt) - now.value)));
}
