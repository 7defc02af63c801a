import type { UsageRecord } from "@querent/client";

/** The share of granted points below which the balance counts as low. */
const lowShare = 0.1;

/** True when the account is about to run dry: less than a tenth is left, or less than was spent on the last day that spent anything. */
export function isLow({ balance: { available, granted }, days }: Pick<UsageRecord, "balance" | "days">): boolean {
  if (granted === 0) return false;
  if (available < granted * lowShare) return true;
  const byDay = new Map<string, number>();
  for (const { day, chargedPoints } of days) byDay.set(day, (byDay.get(day) ?? 0) + chargedPoints);
  const [, lastDay = 0] =
    [...byDay].sort(([one], [other]) => (one > other ? -1 : 1)).find(([, points]) => points > 0) ?? [];
  return available < lastDay;
}
