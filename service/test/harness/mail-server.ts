/** Mail servers as real servers on 127.0.0.1, with a certificate created for the test run. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { simpleParser, type ParsedMail } from "mailparser";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { testCertificate } from "./receiver.ts";

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly parsed: ParsedMail;
}

export interface MailServer extends AsyncDisposable {
  readonly port: number;
  /** PEM of the authority that signed its certificate. */
  readonly caFile: string;
  readonly mails: ReceivedMail[];
  /** Waits until it has taken this number of messages. */
  received(count: number): Promise<readonly ReceivedMail[]>;
}

export const mailLogin = { user: "reports", password: "p@ss:w/rd%" };

/** A reply of the server in place of its usual one. */
export const refusal = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode });

/** Takes every message from whoever signs in with `mailLogin`, over STARTTLS or, with `secure`, TLS at once. */
export async function startMailServer({
  breaksOff,
  ...options
}: SMTPServerOptions & {
  /** Whether the server breaks off after it has this message, instead of saying that it has taken it. */
  readonly breaksOff?: (email: string, raw: string) => boolean;
} = {}): Promise<MailServer> {
  const { key, cert, caFile } = await testCertificate();
  const mails: ReceivedMail[] = [];
  const waiting: { count: number; resolve: (mails: readonly ReceivedMail[]) => void }[] = [];
  const server = new SMTPServer({
    ...{ key, cert, logger: false, authOptional: true },
    onAuth: ({ username, password }, _session, done) =>
      username === mailLogin.user && password === mailLogin.password
        ? done(null, { user: username })
        : done(refusal(535, "5.7.8 wrong user name or password")),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const raw = Buffer.concat(chunks);
        const { mailFrom, rcptTo } = session.envelope;
        if (breaksOff?.(rcptTo[0]?.address ?? "", raw.toString("utf8")) === true) {
          for (const connection of server.connections) if (connection.session.id === session.id) connection.close();
          return;
        }
        void simpleParser(raw).then((parsed) => {
          const from = mailFrom === false ? "" : mailFrom.address;
          mails.push({ from, to: rcptTo.map(({ address }) => address), raw: raw.toString("utf8"), parsed });
          done();
          for (const waiter of waiting.splice(0))
            if (mails.length >= waiter.count) waiter.resolve(mails);
            else waiting.push(waiter);
        });
      });
    },
    ...options,
  });
  // Clients that break off, which tests have on purpose.
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    port: (server.server.address() as AddressInfo).port,
    caFile,
    mails,
    received: (count) =>
      mails.length >= count ? Promise.resolve(mails) : new Promise((resolve) => void waiting.push({ count, resolve })),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** A server that a function plays: line by line, and with anything that no mail server would send. */
export async function startRawMailServer(
  play: (socket: Socket, line: string | null) => void,
): Promise<{ readonly port: number } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    let rest = "";
    play(socket, null);
    socket.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk.toString("latin1")).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) play(socket, line);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
