import type { JsonBody, ModelQuestion, VendorRequest } from "./vendor.ts";

/** A chat completion, with the vendor's own switches. */
export function chatRequest({ model, text }: ModelQuestion, switches: JsonBody = {}): VendorRequest {
  return { path: "/chat/completions", body: { model, messages: [{ role: "user", content: text }], ...switches } };
}
