import type { Queryable } from "../db/index.ts";

/** A vendor's prices, in its own currency, as configured by the operator. Omitted ones are zero. */
export interface VendorPrices {
  readonly perMillionInputTokens?: number;
  readonly perMillionOutputTokens?: number;
  readonly perThousandSearches?: number;
  readonly perThousandRequests?: number;
  readonly currency: string;
}

/** What a platform's completed tasks earned in points, and what they consumed of the operator's account there. */
export interface PlatformCosts {
  readonly platform: string;
  readonly completed: number;
  readonly chargedPoints: number;
  /** Tasks whose consumption the platform reported. The averages are over these. */
  readonly metered: number;
  /** Each is null if the platform does not report it. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly searches: number | null;
}

/** Sums by platform over this number of UTC days, including today. */
export async function readPlatformCosts(db: Queryable, days: number): Promise<PlatformCosts[]> {
  // Reads all of usage_hours, which has a row for each account, hour, platform and token: only for operators, occasionally.
  const { rows } = await db.query<PlatformCosts>(
    `select platform, sum(completed)::bigint as completed, sum(charged_points)::bigint as "chargedPoints",
            sum(metered)::bigint as metered, sum(input_tokens)::bigint as "inputTokens",
            sum(output_tokens)::bigint as "outputTokens", sum(searches)::bigint as searches
       from usage_hours
      where hour >= date_trunc('day', now(), 'UTC') - ($1::int - 1) * interval '24 hours'
      group by platform order by platform`,
    [days],
  );
  return rows;
}

/** The average cost of a metered task; null if nothing was reported, or no price is known. */
export function moneyPerTask(costs: PlatformCosts, prices: VendorPrices | null): number | null {
  if (prices === null || costs.metered === 0) return null;
  const sum =
    ((costs.inputTokens ?? 0) / 1e6) * (prices.perMillionInputTokens ?? 0) +
    ((costs.outputTokens ?? 0) / 1e6) * (prices.perMillionOutputTokens ?? 0) +
    ((costs.searches ?? 0) / 1e3) * (prices.perThousandSearches ?? 0) +
    (costs.metered / 1e3) * (prices.perThousandRequests ?? 0);
  return sum / costs.metered;
}
