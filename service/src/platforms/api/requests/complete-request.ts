import { optionPlaces } from "./option-places.ts";
import type { JsonBody, ModelQuestion, Upstream, Vendor } from "./vendor.ts";

export interface CompleteRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonBody;
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
    body: withOptions(
      {
        ...body,
        ...(upstream.body as JsonBody),
        ...((upstream.search ? upstream.searchBody : {}) as JsonBody),
        ...((deep ? upstream.deepBody : {}) as JsonBody),
      },
      question,
    ),
  };
}

/** After the additions of the settings, which may replace a tool that an option belongs to. */
function withOptions(body: JsonBody, { upstream, system, asked, now }: ModelQuestion): JsonBody {
  const places = optionPlaces[upstream.api];
  if (places === undefined) return body;
  let made = system === null ? body : places.system(body, system);
  const { country, language, location, searchDepth, domains, since } = asked;
  const { native = {} } = places;
  if (country !== undefined) made = native.country?.(made, country, now) ?? made;
  if (language !== undefined) made = native.language?.(made, language, now) ?? made;
  if (location !== undefined) made = native.location?.(made, location, now) ?? made;
  if (searchDepth !== undefined) made = native.searchDepth?.(made, searchDepth, now) ?? made;
  if (domains !== undefined) made = native.domains?.(made, domains, now) ?? made;
  if (since !== undefined) made = native.since?.(made, since, now) ?? made;
  return made;
}

export function keyHeaders(vendor: Vendor, { keyHeader }: Upstream, key: string): Record<string, string> {
  if (key === "") return {};
  const name = (keyHeader ?? vendor.keyHeader)?.toLowerCase();
  return name === undefined ? { authorization: `Bearer ${key}` } : { [name]: key };
}
