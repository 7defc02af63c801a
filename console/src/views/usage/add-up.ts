import type { UsageDay, UsageDays } from "@querent/client";

export const groups = ["day", "platform", "token"] as const;
export type UsageGroup = (typeof groups)[number];

export interface UsageSum {
  readonly key: string;
  /** The day, the platform's code or the token's name; null: none is known. */
  readonly name: string | null;
  readonly completed: number;
  readonly failed: number;
  readonly canceled: number;
  readonly chargedPoints: number;
}

const keys: Readonly<Record<UsageGroup, (day: UsageDay) => { key: string; name: string | null }>> = {
  day: ({ day }) => ({ key: day, name: day }),
  platform: ({ platformCode }) => ({ key: platformCode, name: platformCode }),
  // Two tokens may have one name.
  token: ({ tokenId, tokenName }) => ({ key: tokenId ?? "", name: tokenName ?? tokenId?.slice(0, 8) ?? null }),
};

/** The rows of a period by one of their members: days as they are, the others with the most points first. */
export function addUp({ days }: UsageDays, group: UsageGroup): UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const row of days) {
    const { key, name } = keys[group](row);
    const sum = sums.get(key) ?? { key, name, completed: 0, failed: 0, canceled: 0, chargedPoints: 0 };
    sums.set(key, {
      ...sum,
      completed: sum.completed + row.completed,
      failed: sum.failed + row.failed,
      canceled: sum.canceled + row.canceled,
      chargedPoints: sum.chargedPoints + row.chargedPoints,
    });
  }
  const all = [...sums.values()];
  return group === "day" ? all : all.sort((one, other) => other.chargedPoints - one.chargedPoints);
}

/** Every day of the period, oldest first, those on which nothing ended too. */
export function byDay(usage: UsageDays): { day: string; chargedPoints: number }[] {
  const points = new Map(addUp(usage, "day").map(({ key, chargedPoints }) => [key, chargedPoints]));
  const days: { day: string; chargedPoints: number }[] = [];
  for (let at = Date.parse(usage.from); at <= Date.parse(usage.to); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10);
    days.push({ day, chargedPoints: points.get(day) ?? 0 });
  }
  return days;
}
