/** What an attempt consumed of the operator's account at a platform, as the platform reports it; null for what it does not. */
export interface Consumption {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly searches: number | null;
  /** The part of the input tokens that the platform read from its cache. */
  readonly cachedTokens?: number | null;
  /** What the platform states that it charges, in US dollars. */
  readonly statedUsd?: number | null;
}

/** A consumption as it is stored, with every member. */
export type KeptConsumption = Required<Consumption>;

/**
 * The sum of several. What one of them does not report counts as nothing, except the stated cost: without that of each of them,
 * the cost of all is unknown.
 */
export function sumOfConsumption(consumed: readonly Consumption[]): KeptConsumption | null {
  if (consumed.length === 0) return null;
  const sumOf = (member: keyof Consumption) => {
    const reported = consumed.flatMap((each) => each[member] ?? []);
    return reported.length === 0 ? null : reported.reduce((sum, value) => sum + value, 0);
  };
  return {
    inputTokens: sumOf("inputTokens"),
    outputTokens: sumOf("outputTokens"),
    searches: sumOf("searches"),
    cachedTokens: sumOf("cachedTokens"),
    statedUsd: consumed.every(isStated) ? sumOf("statedUsd") : null,
  };
}

/** Whether the platform reported anything. */
export function isReported(consumption: Consumption | null): consumption is Consumption {
  return consumption !== null && Object.values(consumption).some((figure) => figure !== null);
}

export function isStated({ statedUsd }: Consumption): boolean {
  return (statedUsd ?? null) !== null;
}
