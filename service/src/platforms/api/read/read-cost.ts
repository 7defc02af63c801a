import type { Consumption } from "../../../kernel/consumption.ts";
import { isObject, number, object, string, type JsonObject } from "../body/json.ts";

/** What a usage object states beside its counts, in any vendor's form: tokens from a cache, and the cost. Members only if stated. */
export function readCost(usage: JsonObject): Pick<Consumption, "cachedTokens" | "statedUsd"> {
  const cachedTokens = cachedTokensIn(usage);
  const statedUsd = statedUsdIn(usage);
  return {
    ...(cachedTokens === null ? {} : { cachedTokens }),
    ...(statedUsd === null ? {} : { statedUsd }),
  };
}

function cachedTokensIn(usage: JsonObject): number | null {
  const details = { ...object(usage["prompt_tokens_details"]), ...object(usage["input_tokens_details"]) } as JsonObject;
  return (
    number(details["cached_tokens"]) ??
    number(details["cache_read_input_tokens"]) ??
    number(usage["prompt_cache_hit_tokens"]) ??
    number(usage["cached_tokens"]) ??
    number(usage["cache_read_input_tokens"]) ??
    number(usage["cachedContentTokenCount"]) ??
    number(usage["total_cached_tokens"])
  );
}

const ticksPerUsd = 1e10;

function statedUsdIn(usage: JsonObject): number | null {
  const ticks = number(usage["cost_in_usd_ticks"]);
  if (ticks !== null) return ticks / ticksPerUsd;
  const { cost } = usage;
  // Perplexity itemizes it.
  if (isObject(cost)) return ["", "USD"].includes(string(cost["currency"])) ? number(cost["total_cost"]) : null;
  const charged = number(cost);
  if (charged === null || usage["is_byok"] !== true) return charged;
  // With the operator's own key at a provider, OpenRouter charges its fee only.
  const provider = number(object(usage["cost_details"])["upstream_inference_cost"]);
  return provider === null ? null : charged + provider;
}
