import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { describeOutcome, Mailer, readSender, readSmtpServer, type Message } from "../../src/mail/index.ts";
import { readMailAddress } from "../../src/kernel/mail-address.ts";
import { mailLogin, refusal, startMailServer, startRawMailServer } from "../harness/mail-server.ts";

const message: Message = {
  to: "ana@client.example",
  id: "0198a000-0000-7000-8000-000000000001",
  date: new Date("2026-11-30T06:00:00Z"),
  subject: "Report: Kaffee & 咖啡 – 2026-11",
  text: "Guten Tag",
  html: "<p>Guten Tag</p>",
  attachments: [{ name: "report.pdf", type: "application/pdf", bytes: Buffer.from("%PDF-1.7 a few bytes") }],
  unsubscribe: "https://querent.example/unsubscribe/abc",
};
const login = `${mailLogin.user}:${encodeURIComponent(mailLogin.password)}`;

const mailer = (url: string, caFile: string | null = null, totalTimeoutMs = 10_000) =>
  new Mailer({
    server: readSmtpServer(url),
    sender: readSender("Querent 报告 <reports@querent.example>"),
    ...{ caFile, totalTimeoutMs },
  });

void suite("what a message is", () => {
  void test("arrives whole over STARTTLS with a password, and over TLS at once", async () => {
    for (const secure of [false, true]) {
      await using server = await startMailServer({ secure, authOptional: false });
      const scheme = secure ? "smtps" : "smtp";
      const outcome = await mailer(`${scheme}://${login}@localhost:${server.port}`, server.caFile).send(message);
      assert.equal(outcome.kind, "accepted", JSON.stringify(outcome));
      const [{ from, to, parsed, raw } = assert.fail()] = server.mails;
      assert.deepEqual({ from, to }, { from: "reports@querent.example", to: ["ana@client.example"] });
      assert.equal(parsed.subject, message.subject);
      assert.equal(parsed.messageId, `<${message.id}@querent.example>`);
      assert.deepEqual(parsed.date, message.date);
      assert.equal(parsed.from?.value[0]?.name, "Querent 报告");
      assert.equal(parsed.text?.trim(), "Guten Tag");
      assert.deepEqual(
        parsed.attachments.map((one) => [one.filename, one.contentType, one.content.toString()]),
        [["report.pdf", "application/pdf", "%PDF-1.7 a few bytes"]],
      );
      assert.match(raw, /^List-Unsubscribe: <https:\/\/querent\.example\/unsubscribe\/abc>\r$/m);
      assert.match(raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
      assert.match(raw, /^Auto-Submitted: auto-generated\r$/m);
    }
  });

  void test("has no header that a name, a subject or a file name brings with it", async () => {
    await using server = await startMailServer();
    const evil = "x\r\nBcc: victim@example.com\r\n\r\nbody";
    const outcome = await mailer(`smtp://localhost:${server.port}`, server.caFile).send({
      ...message,
      subject: evil,
      attachments: [{ name: evil, type: "application/pdf", bytes: Buffer.from("x") }],
    });
    assert.equal(outcome.kind, "accepted");
    const [{ to, parsed } = assert.fail()] = server.mails;
    assert.deepEqual(to, ["ana@client.example"]);
    assert.equal(parsed.headers.has("bcc"), false);
    assert.equal(parsed.subject, "x Bcc: victim@example.com body");
  });

  void test("goes to one address, which brings no header, command or second recipient", async () => {
    const refused = [
      ...[
        "a@b.example\r\nRCPT TO:<c@d.example>",
        "a@b.example, c@d.example",
        "<a@b.example>",
        "a b@c.example",
        '"a"@b.example',
      ],
      ...["a@localhost", "a@[127.0.0.1]", "a@127.0.0.1", "a@b.example>", "a@@b.example", "@b.example", "a@", ""],
      ...[
        `${"a".repeat(65)}@b.example`,
        "a..b@c.example",
        "a@-b.example",
        `a@${"b".repeat(64)}.example`,
        "ä@b.example",
      ],
    ];
    for (const text of refused) assert.equal(readMailAddress(text), null, text);
    assert.deepEqual(readMailAddress(" Ana+x@Bücher.example "), {
      text: "Ana+x@xn--bcher-kva.example",
      key: "ana+x@xn--bcher-kva.example",
    });
    await using server = await startMailServer();
    const outcome = await mailer(`smtp://localhost:${server.port}`, server.caFile).send({
      ...message,
      to: refused[0] ?? "",
    });
    assert.deepEqual([outcome.kind, server.mails.length], ["refused", 0]);
  });
});

void suite("servers that do not take it", () => {
  void test("a certificate that is not trusted gets no password and no message", async () => {
    for (const secure of [false, true]) {
      await using server = await startMailServer({ secure });
      const one = mailer(`${secure ? "smtps" : "smtp"}://${login}@localhost:${server.port}`);
      const outcome = await one.send(message);
      assert.deepEqual(outcome, { kind: "faulted", stage: "tls", why: "tls" });
      assert.equal(server.mails.length, 0);
      assert.match(describeOutcome(outcome, one), /QUERENT_EGRESS_CA/);
    }
  });

  void test("one without STARTTLS gets no password and no message", async () => {
    const lines: string[] = [];
    await using server = await startRawMailServer((socket, line) => {
      if (line === null) socket.write("220 hello\r\n");
      else {
        lines.push(line);
        socket.write(line.startsWith("EHLO") ? "250-here\r\n250 AUTH PLAIN LOGIN\r\n" : "502 no\r\n");
      }
    });
    const outcome = await mailer(`smtp://${login}@127.0.0.1:${server.port}`).send(message);
    assert.deepEqual(outcome, { kind: "faulted", stage: "tls", why: "tls" });
    assert.ok(
      lines.every((line) => /^(EHLO|STARTTLS|QUIT)/.test(line)),
      lines.join("|"),
    );
  });

  void test("a wrong password is not final, since it can be corrected", async () => {
    await using server = await startMailServer();
    const one = mailer(`smtp://reports:wrong@localhost:${server.port}`, server.caFile);
    const outcome = await one.send(message);
    assert.deepEqual(
      { ...outcome, reply: "" },
      { kind: "refused", stage: "sign_in", status: 535, reply: "", isFinal: false },
    );
    assert.match(describeOutcome(outcome, one), /user name and the password/);
    assert.equal((await one.check()).kind, "refused");
  });

  void test("a recipient or a message that is refused for good is final, and anything with 4xx or about the sender is not", async () => {
    const cases = [
      [{ onRcptTo: "550" }, { stage: "recipient", status: 550, isFinal: true }],
      [{ onRcptTo: "450" }, { stage: "recipient", status: 450, isFinal: false }],
      [{ onMailFrom: "550" }, { stage: "sender", status: 550, isFinal: false }],
      [{ onMailFrom: "451" }, { stage: "sender", status: 451, isFinal: false }],
    ] as const;
    for (const [handlers, expected] of cases) {
      const options = Object.fromEntries(
        Object.entries(handlers).map(([name, code]) => [
          name,
          (_address: unknown, _session: unknown, done: (error: Error) => void) => done(refusal(Number(code), "no")),
        ]),
      );
      await using server = await startMailServer(options);
      const outcome = await mailer(`smtp://localhost:${server.port}`, server.caFile).send(message);
      assert.deepEqual({ ...outcome, reply: "" }, { kind: "refused", ...expected, reply: "" });
    }
    for (const [code, isFinal] of [
      [554, true],
      [452, false],
    ] as const) {
      await using server = await startMailServer({
        onData: (stream, _session, done) => {
          stream.resume();
          stream.on("end", () => done(refusal(code, "no")));
        },
      });
      const outcome = await mailer(`smtp://localhost:${server.port}`, server.caFile).send(message);
      assert.deepEqual(
        { ...outcome, reply: "" },
        { kind: "refused", stage: "message", status: code, isFinal, reply: "" },
      );
    }
  });

  void test(
    "one that hangs, drips or is silent after the message ends within the total",
    { timeout: 60_000 },
    async () => {
      const plays = {
        silent: () => undefined,
        drips: (socket: { write: (text: string) => void; destroyed: boolean }) => {
          const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write("220-a\r\n")), 20);
        },
      };
      for (const play of Object.values(plays)) {
        await using server = await startRawMailServer((socket, line) => line === null && play(socket));
        const from = performance.now();
        const outcome = await mailer(`smtp://127.0.0.1:${server.port}?tls=off`, null, 400).send(message);
        assert.deepEqual(outcome, { kind: "faulted", stage: "connection", why: "timeout" });
        assert.ok(performance.now() - from < 20_000);
      }
      await using server = await startRawMailServer(plainServer(() => undefined));
      const outcome = await mailer(`smtp://127.0.0.1:${server.port}?tls=off`, null, 400).send(message);
      assert.deepEqual(outcome, { kind: "faulted", stage: "message", why: "timeout" });
    },
  );

  void test("one that breaks off after the message says nothing about it, and one that answers is believed", async () => {
    await using drops = await startRawMailServer(plainServer((socket) => socket.destroy()));
    const one = mailer(`smtp://127.0.0.1:${drops.port}?tls=off`);
    const outcome = await one.send(message);
    assert.deepEqual(outcome, { kind: "faulted", stage: "message", why: "reset" });
    assert.match(describeOutcome(outcome, one), /It may have\./);
    await using takes = await startRawMailServer(
      plainServer((socket) => socket.write("250 queued as 1\r\n", () => socket.destroy())),
    );
    assert.equal((await mailer(`smtp://127.0.0.1:${takes.port}?tls=off`).send(message)).kind, "accepted");
  });

  void test("nonsense, endless replies and other protocols are told apart from a refusal", async () => {
    for (const greeting of ["HTTP/1.1 400 Bad Request\r\n\r\n", "\0\x01\x02\r\n", `220 ${"x".repeat(100_000)}`]) {
      await using server = await startRawMailServer((socket, line) => line === null && socket.write(greeting));
      const outcome = await mailer(`smtp://127.0.0.1:${server.port}?tls=off`, null, 2_000).send(message);
      assert.equal(outcome.kind, "faulted", JSON.stringify(outcome));
    }
  });

  void test("nothing listens, and no name resolves", async () => {
    const server = await startRawMailServer(() => undefined);
    await server[Symbol.asyncDispose]();
    const one = mailer(`smtp://127.0.0.1:${server.port}`);
    const outcome = await one.send(message);
    assert.deepEqual(outcome, { kind: "faulted", stage: "connection", why: "connect" });
    assert.match(describeOutcome(outcome, one), /Nothing answers/);
    assert.equal((await mailer("smtp://nowhere.invalid").send(message)).kind, "faulted");
  });

  void test("a stop ends an attempt at once", async () => {
    await using server = await startRawMailServer(() => undefined);
    const stop = new AbortController();
    const sending = mailer(`smtp://127.0.0.1:${server.port}`).send(message, stop.signal);
    stop.abort();
    assert.deepEqual(await sending, { kind: "stopped" });
  });
});

void suite("settings", () => {
  void test("are read, or refused with what is wrong", () => {
    assert.deepEqual(readSmtpServer("smtps://me%40x:p%2Fw@mail.example"), {
      ...{ host: "mail.example", port: 465, tls: "implicit" },
      login: { user: "me@x", password: "p/w" },
    });
    assert.deepEqual(readSmtpServer("smtp://[::1]:25?tls=off"), { host: "::1", port: 25, tls: "off", login: null });
    const refused = [
      ...[
        "mail.example",
        "http://mail.example",
        "smtp://",
        "smtp://mail.example/path",
        "smtp://a:b@mail.example?tls=off",
      ],
      ...[
        "smtps://mail.example?tls=off",
        "smtp://mail.example?tls=no",
        "smtp://user@mail.example",
        "smtp://a:%@mail.example",
      ],
    ];
    for (const text of refused) assert.throws(() => readSmtpServer(text), Error, text);
    assert.deepEqual(readSender('"Reports" <r@x.example>'), { name: "Reports", address: "r@x.example" });
    for (const text of ["", "Reports", "a@b.example\nBcc: c@d.example", 'A "b" <a@b.example>', "A <a@b.example> x"])
      assert.throws(() => readSender(text), Error, text);
    const unset = new Mailer({ server: null, sender: null, caFile: null });
    assert.match(unset.missing ?? "", /QUERENT_SMTP_URL and QUERENT_MAIL_FROM/);
  });
});

type Play = Parameters<typeof startRawMailServer>[0];

/** A server without TLS that takes everything, and does `atEnd` in place of its reply to the message. */
function plainServer(atEnd: (socket: Parameters<Play>[0]) => void): Play {
  let inMessage = false;
  return (socket, line) => {
    if (line === null) socket.write("220 hello\r\n");
    else if (inMessage && line === ".") {
      inMessage = false;
      atEnd(socket);
    } else if (!inMessage) {
      inMessage = line === "DATA";
      socket.write(inMessage ? "354 go on\r\n" : "250 yes\r\n");
    }
  };
}
