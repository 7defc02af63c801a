import type { Transaction } from "../db/index.ts";
import { isReported, isStated, sumOfConsumption, type Consumption } from "../kernel/consumption.ts";

/** A task that has ended, and what was consumed for it. */
export interface Spending {
  readonly accountId: string;
  readonly platform: string;
  /** What the answer consumed; null if nothing was reported. */
  readonly consumption: Consumption | null;
  /** What each attempt consumed that gave no answer. */
  readonly spentInVain: readonly Consumption[];
}

/**
 * Adds to the hour what was consumed at the platforms. The accounts' rows are locked before, so that two transactions cannot
 * lock the same hours in different orders.
 */
export async function addSpending(tx: Transaction, tasks: readonly Spending[]): Promise<void> {
  const attempts = tasks.flatMap(({ accountId, platform, consumption, spentInVain }) => [
    ...(!isReported(consumption) ? [] : [{ accountId, platform, answered: true, consumption }]),
    ...spentInVain.map((each) => ({ accountId, platform, answered: false, consumption: each })),
  ]);
  if (attempts.length === 0) return;
  const rows = [
    ...Map.groupBy(attempts, ({ accountId, platform, answered, consumption }) =>
      [accountId, platform, answered, isStated(consumption)].join(" "),
    ).values(),
  ].map((group) => {
    const [first] = group;
    const sums = sumOfConsumption(group.map(({ consumption }) => consumption));
    return {
      account_id: first?.accountId,
      platform: first?.platform,
      answered: first?.answered,
      stated: (sums?.statedUsd ?? null) !== null,
      attempts: group.length,
      input_tokens: sums?.inputTokens,
      cached_tokens: sums?.cachedTokens,
      output_tokens: sums?.outputTokens,
      searches: sums?.searches,
      usd: sums?.statedUsd,
    };
  });
  // Locks: the hours of accounts that are locked already.
  await tx.query({ name: "add spending", text: add, values: [JSON.stringify(rows)] });
}

const figures = ["input_tokens", "cached_tokens", "output_tokens", "searches", "usd"];
const add = `
  insert into spending_hours as s (account_id, hour, platform, answered, stated, attempts, ${figures.join(", ")})
  select account_id, date_trunc('hour', now(), 'UTC'), platform, answered, stated, attempts, ${figures.join(", ")}
  from json_populate_recordset(null::spending_hours, $1::json)
  order by account_id, platform, answered, stated
  on conflict (account_id, hour, platform, answered, stated) do update set attempts = s.attempts + excluded.attempts,
    ${figures.map((each) => `${each} = coalesce(s.${each} + excluded.${each}, s.${each}, excluded.${each})`).join(", ")}`;
