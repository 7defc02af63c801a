import type { CallOptions, Transport } from "./transport.ts";
import type { MailSettings, MailTest } from "./wire.ts";

/** A test waits for the mail server for at most 30 seconds. */
const testTimeoutMs = 45_000;

/** What mail is sent with, with the scope `admin`. */
export class Mail {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async settings(options: CallOptions = {}): Promise<MailSettings> {
    const call = { ...options, method: "GET", path: "/v1/admin/mail", repeat: "always" } as const;
    return (await this.#transport.json<MailSettings>(call)).body;
  }

  /** Sends a test mail, and says what happened. Not retried, because it would be sent twice. */
  async test(to: string, options: CallOptions = {}): Promise<MailTest> {
    const body = JSON.stringify({ to });
    const call = { timeoutMs: testTimeoutMs, ...options, method: "POST", path: "/v1/admin/mail/test", body } as const;
    return (await this.#transport.json<MailTest>({ ...call, repeat: "refused" })).body;
  }
}
