/** Which models a vendor has, for the key of an upstream: one GET request. */
import { objects, parsedObject, string } from "../body/json.ts";
import { keyHeaders } from "./complete-request.ts";
import { send, type SendEnd } from "./send.ts";
import type { Upstream } from "../vendor.ts";
import { vendorOf } from "./upstream-support.ts";

export type ModelList =
  | { readonly kind: "listed"; readonly models: readonly string[] }
  | { readonly kind: "failed"; readonly message: string };

const timeoutMs = 30_000;
const bodyBytesMax = 8 * 1024 * 1024;

export async function listModels(upstream: Upstream, key: string): Promise<ModelList> {
  const vendor = vendorOf(upstream.api);
  const url = `${upstream.url}${vendor.modelsPath ?? "/models"}`;
  const headers = { "user-agent": "Querent", ...vendor.headers, ...keyHeaders(vendor, upstream, key) };
  const end = await send(
    { method: "GET", url, headers, body: null },
    { timeoutMs, bodyBytesMax, signal: new AbortController().signal },
  );
  if (end.kind !== "received" || end.status !== 200) return { kind: "failed", message: messageOf(end) };
  const document = parsedObject(end.body);
  // Gemini has `models` with a `name`, all others `data` with an `id`.
  const models = [...objects(document["data"]), ...objects(document["models"])]
    .map((model) => string(model["id"]) || string(model["name"]).replace(/^models\//u, ""))
    .filter((name) => name !== "");
  if (models.length === 0) return { kind: "failed", message: "The response contains no list of models." };
  return { kind: "listed", models: [...new Set(models)].sort() };
}

/** Whether a configured model is among those listed. A preset of Perplexity is not a model, and in no list. */
export function isListed({ api }: Upstream, model: string, models: readonly string[]): boolean {
  if (api === "perplexity" && !model.includes("/")) return true;
  return models.includes(model.replace(/^models\//u, ""));
}

function messageOf(end: SendEnd): string {
  switch (end.kind) {
    case "received":
      if (end.status === 401 || end.status === 403) return `It does not accept the key (status ${end.status}).`;
      if (end.status === 404 || end.status === 405) return `It has no list of models (status ${end.status}).`;
      return `It replied with status ${end.status}.`;
    case "unreachable":
      return `It cannot be reached (${end.reason}).`;
    case "timeout":
      return `It did not reply within ${timeoutMs / 1000} seconds.`;
    case "oversize":
      return `Its reply is larger than ${bodyBytesMax / 1024 / 1024} MiB.`;
    default:
      return "Its reply was cut off.";
  }
}
