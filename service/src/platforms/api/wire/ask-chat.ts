import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { Asking, Fetch } from "../vendor.ts";
import { askModel } from "./ask-model.ts";

/** A chat completion, with the vendor's switches in members of the body that `Vendor.body` adds. */
export async function askChat(asking: Asking, fetch: Fetch, effort: Asking["effort"] = "default"): Promise<void> {
  const { upstream, model, key } = asking;
  const provider = createOpenAICompatible({
    name: upstream.api,
    baseURL: upstream.url,
    fetch,
    ...(key === "" || upstream.keyHeader !== null ? {} : { apiKey: key }),
  });
  await askModel(provider(model), asking, { effort });
}
