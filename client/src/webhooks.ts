/** Receiving webhooks: `webhooks.verify`, `unwrap`, `sign` and a handler for fetch-style servers. */
import { readBytes } from "./read-body.ts";
import { bytesOf, SignatureError, verify, type Verified, type VerifyInput } from "./signature.ts";
import type { NotificationOf } from "./events.ts";
import type { EventType } from "./wire.ts";

export { sign, verify } from "./signature.ts";

export interface Unwrapped<Types extends EventType = "task.finished"> extends Verified {
  readonly notification: NotificationOf<Types>;
}

/** Verifies a webhook, and returns the parsed notification, which is of one of the types: `task.finished` by default. */
export async function unwrap<Types extends EventType = "task.finished">(
  input: VerifyInput & { readonly types?: readonly Types[] },
): Promise<Unwrapped<Types>> {
  const verified = await verify(input);
  const notification = notificationIn<Types>(new TextDecoder().decode(bytesOf(input.body)), input.types);
  if (notification === null)
    throw new SignatureError("body_malformed", "The signature is valid, but the body is not a notification.");
  return { ...verified, notification };
}

export interface HandlerOptions<Types extends EventType = "task.finished"> {
  /** The types of events to receive: those that the account has subscribed to. Default: only `task.finished`. */
  readonly types?: readonly Types[];
  /** The signing secret, or a function that returns it. */
  readonly secret: string | readonly string[] | (() => VerifyInput["secret"] | Promise<VerifyInput["secret"]>);
  /**
   * Called with each notification. When it resolves, the handler returns a 2xx response. If it rejects, the handler rejects
   * too, your server returns 500, and the service retries. Store the notification here, and process it afterwards.
   */
  readonly receive: (unwrapped: Unwrapped<Types>) => void | Promise<void>;
  /** Returns false for a delivery that was received before, which is acknowledged and ignored. */
  readonly isNew?: (deliveryId: string) => boolean | Promise<boolean>;
  /** Called with the reason when a webhook is rejected with 401. */
  readonly onRefused?: (error: SignatureError) => void;
  /** The maximum size of a body. Default: 1 MiB. The service sends at most 256 KiB, unless its operator has raised this limit. */
  readonly bytesMax?: number;
}

/** A receiver for servers that use `Request` and `Response`: workers, Deno, Bun, Hono, Next. */
export function handler<Types extends EventType = "task.finished">(
  options: HandlerOptions<Types>,
): (request: Request) => Promise<Response> {
  const bytesMax = options.bytesMax ?? 1024 * 1024;
  return async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
    const body = await readBytes(request, bytesMax).catch(() => null);
    if (body === null) return new Response(null, { status: 413 });
    try {
      const secret = typeof options.secret === "function" ? await options.secret() : options.secret;
      const unwrapped = await unwrap<Types>({
        body,
        headers: request.headers,
        secret,
        ...(options.types === undefined ? {} : { types: options.types }),
      });
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

function notificationIn<Types extends EventType>(
  text: string,
  types: readonly EventType[] = ["task.finished"],
): NotificationOf<Types> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("event" in value)) return null;
    const content: unknown = Object.entries(value).find(
      ([name]) => name === (value.event === "task.finished" ? "task" : "data"),
    )?.[1];
    const isNotification =
      types.some((type) => type === value.event) && typeof content === "object" && content !== null;
    return isNotification ? (value as NotificationOf<Types>) : null;
  } catch {
    return null;
  }
}
