/** Mail as the operator has set it up, and the test of it. */
import type { MailSettings, MailTest } from "@querent/contract";
import { ProblemError } from "../api/problem-error.ts";
import { newId } from "../kernel/ids.ts";
import { readMailAddress } from "../kernel/mail-address.ts";
import { describeOutcome, Mailer } from "../mail/index.ts";
import type { Config } from "./config.ts";

export const mailerOf = ({ smtpUrl, mailFrom, egressCa }: Pick<Config, "smtpUrl" | "mailFrom" | "egressCa">): Mailer =>
  new Mailer({ server: smtpUrl, sender: mailFrom, caFile: egressCa });

export function mailSettings({ from, missing, server }: Mailer): MailSettings {
  return { from, missing, server: server === null ? null : { host: server.host, port: server.port, tls: server.tls } };
}

/** Sends a message that says that it is a test. */
export async function testMail(mailer: Mailer, to: string, signal?: AbortSignal): Promise<MailTest> {
  const address = readMailAddress(to);
  if (address === null)
    throw new ProblemError("validation_failed", "It is not a mail address like ana@example.com. Nothing was sent.", {
      errors: [{ pointer: "/to", code: "malformed", detail: "It is not a mail address." }],
    });
  const startedAt = performance.now();
  const text = "This is a test of Querent's mail settings. Reports that are scheduled will arrive in the same way.";
  const outcome = await mailer.send(
    {
      ...{ to: address.text, id: newId(), date: new Date(), subject: "Test of Querent's mail settings" },
      ...{ text: `${text}\n`, html: `<p>${text}</p>`, attachments: [], unsubscribe: null },
    },
    signal,
  );
  const passed = outcome.kind === "accepted";
  const next = passed ? ` Look for it in the mailbox of ${address.text}, also among spam.` : "";
  return {
    passed,
    detail: `${describeOutcome(outcome, mailer)}${next}`,
    stage: "stage" in outcome ? outcome.stage : null,
    status: "status" in outcome ? outcome.status : null,
    durationMs: Math.round(performance.now() - startedAt),
  };
}
