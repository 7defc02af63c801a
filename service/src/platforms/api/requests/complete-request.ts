import { askedAsMembers, type AskedAs, type AskedAsMember } from "@querent/contract";
import type { JsonBody, NativePlaces, ModelQuestion, Upstream, Vendor } from "../vendor.ts";

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
      vendor,
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
function withOptions({ options: places }: Vendor, body: JsonBody, { system, asked, now }: ModelQuestion): JsonBody {
  let made = system === null ? body : places.system(body, system);
  for (const member of askedAsMembers) made = placed(places.native ?? {}, member, made, asked, now);
  return made;
}

function placed(native: NativePlaces, member: AskedAsMember, body: JsonBody, asked: AskedAs, now: Date): JsonBody {
  const value = asked[member];
  // The place of a member takes that member's value, which the compiler cannot relate.
  const place = native[member as keyof NativePlaces] as NativePlace | undefined;
  return value === undefined || place === undefined ? body : place(body, value as never, now);
}
type NativePlace = (body: JsonBody, value: never, now: Date) => JsonBody;

export function keyHeaders(vendor: Vendor, { keyHeader }: Upstream, key: string): Record<string, string> {
  if (key === "") return {};
  const name = (keyHeader ?? vendor.keyHeader)?.toLowerCase();
  return name === undefined ? { authorization: `Bearer ${key}` } : { [name]: key };
}
