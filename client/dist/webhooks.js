/** Receiving webhooks: `webhooks.verify`, `unwrap`, `sign` and a handler for fetch-style servers. */
import { readBytes } from "./read-body.js";
import { bytesOf, SignatureError, verify } from "./signature.js";
export { sign, verify } from "./signature.js";
/** Verifies a webhook, and returns the parsed notification. */
export async function unwrap(input) {
  const verified = await verify(input);
  const notification = notificationIn(new TextDecoder().decode(bytesOf(input.body)));
  if (notification === null)
    throw new SignatureError("body_malformed", "The signature is valid, but the body is not a notification.");
  return { ...verified, notification };
}
/** A receiver for servers that use `Request` and `Response`: workers, Deno, Bun, Hono, Next. */
export function handler(options) {
  const bytesMax = options.bytesMax ?? 1024 * 1024;
  return async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
    const body = await readBytes(request, bytesMax).catch(() => null);
    if (body === null) return new Response(null, { status: 413 });
    try {
      const secret = typeof options.secret === "function" ? await options.secret() : options.secret;
      const unwrapped = await unwrap({ body, headers: request.headers, secret });
      // The task of a test webhook does not exist.
      const isWanted = !unwrapped.isTest && (await options.isNew?.(unwrapped.deliveryId ?? "")) !== false;
      if (isWanted) await options.receive(unwrapped);
      return new Response(null, { status: 204 });
    } catch (error) {
      if (!(error instanceof SignatureError)) throw error;
      options.onRefused?.(error);
      return new Response(error.fault, { status: 401, headers: { "content-type": "text/plain" } });
    }
  };
}
function notificationIn(text) {
  try {
    const value = JSON.parse(text);
    const isNotification =
      typeof value === "object" &&
      value !== null &&
      "event" in value &&
      value.event === "task.finished" &&
      "task" in value &&
      typeof value.task === "object" &&
      value.task !== null;
    return isNotification ? value : null;
  } catch {
    return null;
  }
}
