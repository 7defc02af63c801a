/**
 * Hands one message for one recipient to the operator's SMTP server, within limits that the server cannot extend. One recipient for
 * each message: nobody sees who else gets it, a refusal concerns nobody else, and each has their own link to unsubscribe.
 */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { getCACertificates } from "node:tls";
import { readMailAddress } from "../kernel/mail-address.ts";
import type { MailFrom, SmtpServer } from "./settings.ts";

export interface MailerOptions {
  /** Null: the operator has set none. */
  readonly server: SmtpServer | null;
  /** Null: the operator has set none. */
  readonly sender: MailFrom | null;
  /** A PEM file of authorities that are trusted in addition to the built-in ones. */
  readonly caFile: string | null;
  /** The total for connecting, signing in, sending and the server's reply. */
  readonly totalTimeoutMs?: number;
}

export interface Message {
  readonly to: string;
  /** The same in every attempt, so that a mail program shows a message once that was sent twice. */
  readonly id: string;
  readonly date: Date;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly {
    readonly name: string;
    readonly type: string;
    readonly bytes: Buffer;
    /** The page shows it by this name: `cid:` and it. */
    readonly cid?: string;
  }[];
  /** Where the recipient unsubscribes with one request (RFC 8058); null: the message has no such link. */
  readonly unsubscribe: string | null;
}

/** How far the exchange with the server got. */
export type MailStage = "settings" | "name" | "connection" | "tls" | "sign_in" | "sender" | "recipient" | "message";

export type MailOutcome =
  | { readonly kind: "accepted"; readonly status: number; readonly reply: string }
  /** The server replied, and does not take the message. `isFinal`: another attempt would have the same reply. */
  | {
      readonly kind: "refused";
      readonly stage: MailStage;
      readonly status: number;
      readonly reply: string;
      readonly isFinal: boolean;
    }
  /** Nothing or no complete reply came back. After `message`, the server may have taken it. */
  | {
      readonly kind: "faulted";
      readonly stage: MailStage;
      readonly why: "dns" | "connect" | "tls" | "timeout" | "reset" | "malformed" | "not_set_up";
    }
  /** The process is stopping. */
  | { readonly kind: "stopped" };

const replyMax = 8 * 1024;

export class Mailer {
  readonly #options: MailerOptions;
  readonly #ca: string[] | undefined;
  readonly totalTimeoutMs: number;

  constructor(options: MailerOptions) {
    this.#options = options;
    // Less than the lease of a delivery, so that no other process sends it meanwhile.
    this.totalTimeoutMs = options.totalTimeoutMs ?? 30_000;
    this.#ca =
      options.caFile === null ? undefined : [...getCACertificates("default"), readFileSync(options.caFile, "utf8")];
  }

  /** Why no mail can be sent, in a sentence for people; null if it can be tried. */
  get missing(): string | null {
    const { server, sender } = this.#options;
    const names = [...(server === null ? ["QUERENT_SMTP_URL"] : []), ...(sender === null ? ["QUERENT_MAIL_FROM"] : [])];
    return names.length === 0
      ? null
      : `No mail can be sent until the operator has set ${names.join(" and ")} and restarted the service.`;
  }

  /** From whom mail is, as people read it; null if it is not set. */
  get from(): string | null {
    const { sender } = this.#options;
    if (sender === null) return null;
    return sender.name === "" ? sender.address : `${sender.name} <${sender.address}>`;
  }

  get server(): Pick<SmtpServer, "host" | "port" | "tls"> | null {
    return this.#options.server;
  }

  async send(message: Message, signal?: AbortSignal): Promise<MailOutcome> {
    const { sender } = this.#options;
    const to = readMailAddress(message.to);
    // It was one when it was stored.
    if (to === null)
      return { kind: "refused", stage: "recipient", status: 553, reply: "not a mail address", isFinal: true };
    if (sender === null) return { kind: "faulted", stage: "settings", why: "not_set_up" };
    const bytes = await compose(message, to.text, sender);
    return this.#converse({ from: sender.address, to: to.text, bytes }, signal);
  }

  /** Connects and signs in, without sending anything. */
  check(signal?: AbortSignal): Promise<MailOutcome> {
    return this.#converse(null, signal);
  }

  async #converse(
    letter: { readonly from: string; readonly to: string; readonly bytes: Buffer } | null,
    signal: AbortSignal | undefined,
  ): Promise<MailOutcome> {
    const { server } = this.#options;
    if (server === null) return { kind: "faulted", stage: "settings", why: "not_set_up" };
    const { default: SMTPConnection } = await import("nodemailer/lib/smtp-connection");
    const timeout = this.totalTimeoutMs;
    const connection = new SMTPConnection({
      ...{ host: server.host, port: server.port, name: hostname() },
      secure: server.tls === "implicit",
      requireTLS: server.tls === "starttls",
      ignoreTLS: server.tls === "off",
      // The timer below bounds everything.
      ...{ connectionTimeout: timeout, greetingTimeout: timeout, socketTimeout: timeout, dnsTimeout: timeout },
      maxResponseSize: 64 * 1024,
      // A relay on this machine is reached where nothing but loopback has an address, as in a container without a network.
      allowInternalNetworkInterfaces: true,
      tls: { minVersion: "TLSv1.2", ...(this.#ca === undefined ? {} : { ca: this.#ca }) },
    });
    let stage: MailStage = "connection";
    let timer: NodeJS.Timeout | undefined;
    let onAbort = () => {};
    try {
      // Rejected at any time: the connection also tells errors outside of the step that is waited for.
      const broken = new Promise<never>((_, reject) => {
        connection.on("error", reject);
        connection.on("end", () => reject(Object.assign(new Error("closed"), { code: "ECONNECTION" })));
        timer = setTimeout(() => reject(Object.assign(new Error("too slow"), { code: "ETIMEDOUT" })), timeout);
        onAbort = () => reject(new Stopped());
        signal?.addEventListener("abort", onAbort, { once: true });
        if (signal?.aborted === true) onAbort();
      });
      broken.catch(() => undefined);
      const step = <Result>(begin: (done: (error?: Error | null, result?: Result) => void) => void): Promise<Result> =>
        Promise.race([
          broken,
          new Promise<Result>((resolve, reject) =>
            begin((error, result) => (error ? reject(error) : resolve(result as Result))),
          ),
        ]);
      await step((done) => connection.connect(done));
      stage = "sign_in";
      const { login } = server;
      if (login !== null)
        await step((done) => connection.login({ credentials: { user: login.user, pass: login.password } }, done));
      if (letter === null) return { kind: "accepted", status: 250, reply: "" };
      stage = "message";
      const info = await step<{ readonly response: string }>((done) =>
        connection.send({ from: letter.from, to: [letter.to], size: letter.bytes.length }, letter.bytes, done),
      );
      return { kind: "accepted", status: Number(info.response.slice(0, 3)) || 250, reply: readable(info.response) };
    } catch (error) {
      return outcomeOf(error, stage);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      // Without waiting for the reply to QUIT: the message has been taken, or has not.
      connection.removeAllListeners("error").on("error", () => undefined);
      connection.close();
    }
  }
}

class Stopped extends Error {}

/** The message in its final form: lines end with CRLF, and headers are encoded. */
async function compose(message: Message, to: string, sender: MailFrom): Promise<Buffer> {
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const { id, date, subject, text, html, attachments, unsubscribe } = message;
  const domain = sender.address.slice(sender.address.indexOf("@") + 1);
  const node = new MailComposer({
    from: { name: sender.name, address: sender.address },
    to: { name: "", address: to },
    subject: oneLine(subject),
    date,
    messageId: `<${id}@${domain}>`,
    text,
    html,
    attachments: attachments.map(({ name, type, bytes, cid }) => ({
      filename: oneLine(name),
      contentType: type,
      content: bytes,
      ...(cid === undefined ? {} : { cid, contentDisposition: "inline" as const }),
    })),
    headers: {
      // Out-of-office replies are not wanted (RFC 3834).
      "Auto-Submitted": "auto-generated",
      ...(unsubscribe === null ? {} : { "List-Unsubscribe": { prepared: true, value: `<${unsubscribe}>` } }),
      // RFC 8058 requires HTTPS.
      ...(unsubscribe?.startsWith("https:") === true ? { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } : {}),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  return node.build();
}

const oneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();

/** What the client's error says about the exchange. */
function outcomeOf(error: unknown, begun: MailStage): MailOutcome {
  if (error instanceof Stopped) return { kind: "stopped" };
  const {
    code = "",
    originalCode = "",
    responseCode,
    response = "",
    command = "",
  } = error as { code?: string; originalCode?: string; responseCode?: number; response?: string; command?: string };
  const stage = stageOf(code, command, begun);
  if (stage === "tls" || tlsCode.test(originalCode)) return { kind: "faulted", stage: "tls", why: "tls" };
  if (typeof responseCode === "number" && responseCode >= 400)
    return {
      kind: "refused",
      ...{ stage, status: responseCode, reply: readable(response) },
      // Only what is about this recipient or this message cannot get better. A wrong password can be corrected meanwhile.
      isFinal: responseCode >= 500 && (stage === "recipient" || stage === "message"),
    };
  if (code === "EDNS") return { kind: "faulted", stage: "name", why: "dns" };
  if (code === "ETIMEDOUT") return { kind: "faulted", stage, why: "timeout" };
  if (code === "EPROTOCOL" || code === "EAUTH") return { kind: "faulted", stage, why: "malformed" };
  return {
    kind: "faulted",
    stage,
    why: /^E(CONNREFUSED|HOSTUNREACH|NETUNREACH)$/.test(originalCode) ? "connect" : "reset",
  };
}

/** Codes of Node and OpenSSL for a handshake that fails, or a certificate that is not trusted. */
const tlsCode = /^ERR_(TLS|SSL)|^EPROTO$|CERT|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH/;

function stageOf(code: string, command: string, begun: MailStage): MailStage {
  if (code === "EAUTH" || command.startsWith("AUTH")) return "sign_in";
  if (code === "ETLS" || command === "STARTTLS") return "tls";
  if (command === "MAIL FROM") return "sender";
  if (command === "RCPT TO") return "recipient";
  return begun;
}

/** Text that is safe for any log, database and terminal. */
const readable = (reply: string) => reply.slice(0, replyMax).replace(/[^\P{Cc}\t\n]/gu, "");
