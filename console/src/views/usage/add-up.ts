import type { ProjectUsageDay, UsageDay, UsageDays } from "@querent/client";

export const groups = ["day", "platform", "token", "project"] as const;
export type UsageGroup = (typeof groups)[number];

export interface UsageSum {
  readonly key: string;
  /** The day, the platform's code or the name of the token or project; null: none is known. */
  readonly name: string | null;
  readonly completed: number;
  readonly failed: number;
  readonly canceled: number;
  readonly chargedPoints: number;
}

const keys: Readonly<Record<Exclude<UsageGroup, "project">, (day: UsageDay) => UsageKey>> = {
  day: ({ day }) => ({ key: day, name: day }),
  platform: ({ platformCode }) => ({ key: platformCode, name: platformCode }),
  // Two tokens may have one name.
  token: ({ tokenId, tokenName }) => ({ key: tokenId ?? "", name: tokenName ?? tokenId?.slice(0, 8) ?? null }),
};

interface UsageKey {
  readonly key: string;
  readonly name: string | null;
}

/** The rows of a period by project, those with the most points first. What no panel asked is the last one, without a name. */
export function byProject(usage: UsageDays, days: readonly ProjectUsageDay[]): UsageSum[] {
  const ofProjects = sumsOf(days, ({ projectId, projectName }) => ({
    key: projectId,
    name: projectName ?? projectId.slice(0, 8),
  }));
  const less = (sum: UsageSum, member: Counted) =>
    Math.max(0, sum[member] - ofProjects.reduce((total, one) => total + one[member], 0));
  const all = sumsOf(usage.days, () => ({ key: "", name: null }));
  const rest = all.map((sum) => ({
    ...sum,
    completed: less(sum, "completed"),
    failed: less(sum, "failed"),
    canceled: less(sum, "canceled"),
    chargedPoints: less(sum, "chargedPoints"),
  }));
  return [
    ...ofProjects.toSorted((one, other) => other.chargedPoints - one.chargedPoints),
    ...rest.filter((sum) => sum.completed + sum.failed + sum.canceled + sum.chargedPoints > 0),
  ];
}

/** The rows of a period by one of their members: days as they are, the others with the most points first. */
export function addUp({ days }: UsageDays, group: Exclude<UsageGroup, "project">): UsageSum[] {
  const all = sumsOf(days, keys[group]);
  return group === "day" ? all : all.sort((one, other) => other.chargedPoints - one.chargedPoints);
}

type Counted = "completed" | "failed" | "canceled" | "chargedPoints";

function sumsOf<Row extends Readonly<Record<Counted, number>>>(
  rows: readonly Row[],
  keyOf: (row: Row) => UsageKey,
): UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const row of rows) {
    const { key, name } = keyOf(row);
    const sum = sums.get(key) ?? { key, name, completed: 0, failed: 0, canceled: 0, chargedPoints: 0 };
    sums.set(key, {
      ...sum,
      completed: sum.completed + row.completed,
      failed: sum.failed + row.failed,
      canceled: sum.canceled + row.canceled,
      chargedPoints: sum.chargedPoints + row.chargedPoints,
    });
  }
  return [...sums.values()];
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
