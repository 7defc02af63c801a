import type { Queryable } from "../db/index.ts";
import type { Consumption } from "../kernel/consumption.ts";

/** A vendor's prices, in its own currency, as configured by the operator. Omitted ones are zero. */
export interface VendorPrices {
  readonly perMillionInputTokens?: number;
  /** The price of input tokens that the vendor read from its cache. Default: the price of the others. */
  readonly perMillionCachedTokens?: number;
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
  /** The consumption of their answers. Each number is null if the platform does not report it. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly searches: number | null;
  readonly cachedTokens: number | null;
  /** Attempts that gave no answer, and for which the platform reported consumption. */
  readonly failedAttempts: number;
  /** What answers and failed attempts cost, apart by whether the platform stated it. */
  readonly stated: Spent;
  readonly unstated: Spent;
}

/** What a number of attempts consumed. `statedUsd`: what the platform stated for them. */
export type Spent = Consumption & { readonly attempts: number };

/** What was paid to a vendor: stated by the vendor, or computed from what it reported and the configured prices. */
export interface PlatformCost {
  readonly basis: "stated" | "computed";
  readonly amount: number;
  readonly currency: string;
}

interface SpendingRow extends Spent {
  readonly platform: string;
  readonly answered: boolean;
  readonly stated: boolean;
}

/** Sums by platform over this number of UTC days, including today. */
export async function readPlatformCosts(db: Queryable, days: number): Promise<PlatformCosts[]> {
  const since = "date_trunc('day', now(), 'UTC') - ($1::int - 1) * interval '24 hours'";
  // Reads all of usage_hours, which has a row for each account, hour, platform and token, and of spending_hours: only for
  // operators, occasionally.
  const { rows: ended } = await db.query<
    Pick<
      PlatformCosts,
      "platform" | "completed" | "chargedPoints" | "metered" | "inputTokens" | "outputTokens" | "searches"
    >
  >(
    `select platform, sum(completed)::bigint as completed, sum(charged_points)::bigint as "chargedPoints",
            sum(metered)::bigint as metered, sum(input_tokens)::bigint as "inputTokens",
            sum(output_tokens)::bigint as "outputTokens", sum(searches)::bigint as searches
       from usage_hours where hour >= ${since} group by platform order by platform`,
    [days],
  );
  const { rows: spending } = await db.query<SpendingRow>(
    `select platform, answered, stated, sum(attempts)::bigint as attempts, sum(input_tokens)::bigint as "inputTokens",
            sum(cached_tokens)::bigint as "cachedTokens", sum(output_tokens)::bigint as "outputTokens",
            sum(searches)::bigint as searches, sum(usd)::float8 as "statedUsd"
       from spending_hours where hour >= ${since} group by platform, answered, stated`,
    [days],
  );
  return ended.map((sums) => {
    const own = spending.filter(({ platform }) => platform === sums.platform);
    const answers = own.filter(({ answered }) => answered);
    const failed = own.filter(({ answered }) => !answered);
    return {
      ...sums,
      cachedTokens: add(answers, "cachedTokens"),
      failedAttempts: add(failed, "attempts") ?? 0,
      stated: total(own.filter(({ stated }) => stated)),
      unstated: total([
        ...failed.filter(({ stated }) => !stated),
        // Not those of spending_hours: processes of the version before add their answers to usage_hours alone.
        without(
          { ...sums, attempts: sums.metered, cachedTokens: add(answers, "cachedTokens") },
          total(answers.filter(({ stated }) => stated)),
        ),
      ]),
    };
  });
}

/** What was paid in all, apart by how it is known. A stated cost is never computed as well. */
export function costsOf({ stated, unstated }: Pick<PlatformCosts, "stated" | "unstated">, prices: VendorPrices | null) {
  return [costOf(stated, prices), costOf(unstated, prices)].filter((cost) => cost !== null);
}

/** The cost of what was spent; null if nothing was reported, or no cost was stated and no price is known. */
export function costOf(spent: Spent, prices: VendorPrices | null): PlatformCost | null {
  if (spent.attempts === 0) return null;
  const { statedUsd = null, cachedTokens } = spent;
  if (statedUsd !== null) return { basis: "stated", amount: statedUsd, currency: "USD" };
  if (prices === null) return null;
  const { perMillionInputTokens = 0, perMillionCachedTokens = perMillionInputTokens } = prices;
  const cached = cachedTokens ?? 0;
  const amount =
    (((spent.inputTokens ?? 0) - cached) / 1e6) * perMillionInputTokens +
    (cached / 1e6) * perMillionCachedTokens +
    ((spent.outputTokens ?? 0) / 1e6) * (prices.perMillionOutputTokens ?? 0) +
    ((spent.searches ?? 0) / 1e3) * (prices.perThousandSearches ?? 0) +
    (spent.attempts / 1e3) * (prices.perThousandRequests ?? 0);
  return { basis: "computed", amount, currency: prices.currency };
}

const figures = ["inputTokens", "cachedTokens", "outputTokens", "searches", "statedUsd"] as const;
type Figure = (typeof figures)[number] | "attempts";

function add(rows: readonly Spent[], figure: Figure): number | null {
  const known = rows.flatMap((row) => row[figure] ?? []);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

function total(rows: readonly Spent[]): Spent {
  const [inputTokens = null, cachedTokens = null, outputTokens = null, searches = null, statedUsd = null] = figures.map(
    (figure) => add(rows, figure),
  );
  return { attempts: add(rows, "attempts") ?? 0, inputTokens, cachedTokens, outputTokens, searches, statedUsd };
}

function without(all: Spent, part: Spent): Spent {
  const less = (figure: "inputTokens" | "cachedTokens" | "outputTokens" | "searches") =>
    (all[figure] ?? null) === null ? null : (all[figure] ?? 0) - (part[figure] ?? 0);
  return {
    attempts: all.attempts - part.attempts,
    inputTokens: less("inputTokens"),
    cachedTokens: less("cachedTokens"),
    outputTokens: less("outputTokens"),
    searches: less("searches"),
  };
}
