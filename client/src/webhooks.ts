/** Receiving webhooks: `webhooks.verify`, `unwrap`, `sign` and a handler for fetch-style servers. */
import { readBytes } from "./read-body.ts";
import { bytesOf, SignatureError, verify, type Verified, type VerifyInput } from "./signature.ts";
import type { Notification } from "./wire.ts";

export { sign, verify } from "./signature.ts";

export interface Unwrapped extends Verified {
  readonly notification: Notification;
}

/** Verifies a webhook, and returns the parsed notification. */
export async function unwrap(input: VerifyInput): Promise<Unwrapped> {
  const verified = await verify(input);
  const notification = notificationIn(new TextDecoder().decode(bytesOf(input.body)));
  if (notification === null)
    throw new SignatureError("body_malformed", "The signature is valid, but the body is not a notification.");
  return { ...verified, notification };
}

export interface HandlerOptions {
  /** The signing secret, or a function that returns it. */
  readonly secret: string | readonly string[] | (() => VerifyInput["secret"] | Promise<VerifyInput["secret"]>);
  /**
   * Called with each notification. When it resolves, the handler returns a 2xx response. If it rejects, the handler rejects
   * too, your server returns 500, and the service retries. Store the notification here, and process it afterwards.
   */
  readonly receive: (unwrapped: Unwrapped) => void | Promise<void>;
  /** Returns false for a delivery that was received before, which is acknowledged and ignored. */
  readonly isNew?: (deliveryId: string) => boolean | Promise<boolean>;
  /** Called with the reason when a webhook is rejected with 401. */
  readonly onRefused?: (error: SignatureError) => void;
  /** The maximum size of a body. Default: 1 MiB. The service sends at most 256 KiB, unless its operator has raised this limit. */
  readonly bytesMax?: number;
}

/** A receiver for servers that use `Request` and `Response`: workers, Deno, Bun, Hono, Next. */
export function handler(options: HandlerOptions): (request: Request) => Promise<Response> {
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

function notificationIn(text: string): Notification | null {
  try {
    const value: unknown = JSON.parse(text);
    const isNotification =
      typeof value === "object" &&
      value !== null &&
      "event" in value &&
      value.event === "task.finished" &&
      "task" in value &&
      typeof value.task === "object" &&
      value.task !== null;
    return isNotification ? (value as Notification) : null;
  } catch {
    return null;
  }
}
