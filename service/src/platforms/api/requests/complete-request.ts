import type { JsonObject } from "../body/json.ts";
import type { ModelQuestion, Upstream, Vendor } from "./vendor.ts";

export interface CompleteRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** The vendor's request with the key and the additions of the upstream's settings. `key` is empty if none is needed. */
export function completeRequest(vendor: Vendor, question: ModelQuestion, key: string): CompleteRequest {
  const { upstream, deep } = question;
  const { path, body } = vendor.request(question);
  return {
    url: `${upstream.url}${path}`,
    headers: {
      "content-type": "application/json",
      "user-agent": "Querent",
      ...vendor.headers,
      ...keyHeaders(vendor, upstream, key),
    },
    body: {
      ...body,
      ...upstream.body,
      ...(upstream.search ? upstream.searchBody : {}),
      ...(deep ? upstream.deepBody : {}),
    },
  };
}

export function keyHeaders(vendor: Vendor, { keyHeader }: Upstream, key: string): Record<string, string> {
  if (key === "") return {};
  const name = (keyHeader ?? vendor.keyHeader)?.toLowerCase();
  return name === undefined ? { authorization: `Bearer ${key}` } : { [name]: key };
}
