import type { JsonBody, ModelQuestion, VendorRequest } from "./vendor.ts";

/** A request of the Responses API: `switches` after the input, and the tools if there are any. */
export function responsesRequest(
  { model, text }: ModelQuestion,
  tools: readonly JsonBody[],
  switches: JsonBody = {},
): VendorRequest {
  return {
    path: "/responses",
    body: {
      model,
      input: [{ role: "user", content: [{ type: "input_text", text }] }],
      ...switches,
      ...(tools.length === 0 ? {} : { tools, tool_choice: "auto" }),
    },
  };
}

export const webSearch: JsonBody = { type: "web_search" };
