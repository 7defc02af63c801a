/** A question through the AI SDK. It writes the request; what came back is read from the exchange. */
import { generateText, type LanguageModel, type ToolSet } from "ai";
import type { Asking, Effort } from "../vendor.ts";

// Its warnings go to the console, and are of settings that a model does not know. The service logs JSON lines only.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

export async function askModel(
  model: LanguageModel,
  { text, effort, signal }: Asking,
  options: {
    tools?: ToolSet;
    providerOptions?: Parameters<typeof generateText>[0]["providerOptions"];
    effort?: Effort;
    outputTokensMax?: number;
  } = {},
): Promise<void> {
  const { tools, providerOptions, outputTokensMax, effort: chosen = effort } = options;
  await generateText({
    model,
    prompt: text,
    // The engine tries again, and counts.
    maxRetries: 0,
    abortSignal: signal,
    reasoning: chosen === "default" ? "provider-default" : chosen,
    ...(outputTokensMax === undefined ? {} : { maxOutputTokens: outputTokensMax }),
    ...(tools === undefined ? {} : { tools }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  });
}
