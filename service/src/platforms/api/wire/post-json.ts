import type { Asking, Fetch } from "../vendor.ts";

/** A request that the SDK does not write: JSON to a path below the upstream's address, with its key as a bearer. */
export async function postJson({ upstream, key }: Asking, path: string, body: object, fetch: Fetch): Promise<void> {
  await fetch(`${upstream.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key === "" ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
  });
}
