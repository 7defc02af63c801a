import { createAnthropic } from "@ai-sdk/anthropic";
import { list, type JsonObject } from "../body/json.ts";
import { askModel } from "../wire/ask-model.ts";
import type { Follow } from "../wire/exchange.ts";
import type { Vendor } from "../vendor.ts";

/** The Messages API, with web search. A turn that pauses is gone on with. */
export const anthropic: Vendor = {
  code: "anthropic",
  name: "Anthropic Claude",
  defaults: {
    url: "https://api.anthropic.com/v1",
    keyVariable: "ANTHROPIC_API_KEY",
    model: "claude-sonnet-5",
    thinking: { normal: "default", deep: "high" },
  },
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  async send(asking, fetch) {
    const { upstream, model, key, deep } = asking;
    const provider = createAnthropic({ apiKey: key, baseURL: upstream.url, fetch });
    await askModel(provider(model), asking, {
      // The API wants a limit. The SDK's, all that the model can, is refused by networks that cut long silences.
      outputTokensMax: deep ? 32_000 : 16_000,
      ...(upstream.search ? { tools: { web_search: provider.tools.webSearch_20250305({ maxUses: 8 }) } } : {}),
    });
  },
  follow: () => goOn,
  extras: {},
};

/** `pause_turn`: the server stopped between two searches. The same request goes out again with what it has said so far. */
const goOn: Follow = ({ url, body }, received) => {
  if (received["stop_reason"] !== "pause_turn") return null;
  const said: JsonObject = { role: "assistant", content: received["content"] };
  return {
    method: "POST",
    url,
    body: { ...body, messages: [...list(body["messages"]), said] },
    delayMs: 0,
    poll: false,
  };
};
