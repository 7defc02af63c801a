import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { webhooks } from "@querent/client";
import type { Command } from "commander";
import type { Context, Open } from "../context.ts";
import { exitCodes, UsageError } from "../exit-codes.ts";
import { printableLine } from "../output/printable.ts";

interface VerifyFlags {
  readonly header?: readonly string[];
  readonly signature?: string;
  readonly secret?: string;
  readonly key?: string;
}

/** The file name decides what is verified: evidence or a report if it ends with .zip, otherwise the body of a webhook. */
export function addVerify(program: Command, open: Open): void {
  program
    .command("verify")
    .description("verify the signature of a saved webhook, an evidence file, or every figure of a report")
    .argument("<file>", "the exact body of a webhook (- reads standard input), or evidence or a report named *.zip")
    .option("--signature <text>", "the X-Service-Signature header")
    .option(
      "--header <line>",
      "a header as `Name: value`; can be repeated",
      (line: string, sofar: readonly string[] | undefined) => [...(sofar ?? []), line],
    )
    .option("--secret <secret>", "the signing secret (default: QUERENT_SIGNING_SECRET, or read from the service)")
    .option(
      "--key <file>",
      "for evidence and reports: the public keys to trust, as PEM, JWK, or the service's published set",
    )
    .action(async (file: string, flags: VerifyFlags, command: Command) => {
      const context = open(command);
      if (!/\.zip$/i.test(file)) return verifyNotification(context, file, flags);
      // Loaded when needed: with the figures, it is a third of the modules of the command line.
      const { verifyZip } = await import("./verify-zip.ts");
      if (!(await verifyZip(context.output, file, flags.key))) process.exitCode = exitCodes.notVerified.code;
    });
}

async function verifyNotification(context: Context, file: string, flags: VerifyFlags): Promise<void> {
  const body = file === "-" ? await buffer(process.stdin) : await readGiven(file);
  const headers = headersOf(flags);
  const secret =
    flags.secret ??
    process.env["QUERENT_SIGNING_SECRET"] ??
    (await context.querent.webhook.get({ signal: context.signal })).signingSecret;
  const { notification, ...verified } = await webhooks.unwrap({ body, headers, secret });
  const { output } = context;
  const { task } = notification;
  await output.show(
    { ...verified, taskId: task.taskId, state: task.state, deliveryRevision: notification.deliveryRevision },
    () => [
      `${output.color.green("verified")}: task ${printableLine(task.taskId)} ${task.state}, revision ${notification.deliveryRevision} of its delivery`,
      ...(verified.matched === "previous"
        ? ["The secret is the previous one: a rotation with an overlap is in progress."]
        : []),
    ],
  );
}

async function readGiven(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function headersOf({ header = [], signature }: VerifyFlags): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of header) {
    const colon = line.indexOf(":");
    if (colon < 1) throw new UsageError(`Expected a header as "Name: value", not "${printableLine(line)}".`);
    headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
  }
  if (signature !== undefined) headers["x-service-signature"] = signature;
  return headers;
}
