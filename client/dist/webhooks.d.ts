import { SignatureError, type Verified, type VerifyInput } from "./signature.ts";
import type { Notification } from "./wire.ts";
export { sign, verify } from "./signature.ts";
export interface Unwrapped extends Verified {
  readonly notification: Notification;
}
/** Verifies a webhook, and returns the parsed notification. */
export declare function unwrap(input: VerifyInput): Promise<Unwrapped>;
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
export declare function handler(options: HandlerOptions): (request: Request) => Promise<Response>;
