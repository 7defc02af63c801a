import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { webhooks } from "@querent/client";
import { EvidenceFileError, verifyEvidenceFile } from "@querent/evidence";
import { exitCodes, UsageError } from "../exit-codes.js";
import { printableLine } from "../output/printable.js";
/** The file name decides what is verified: evidence if it ends with .zip, otherwise the body of a webhook. */
export function addVerify(program, open) {
  program
    .command("verify")
    .description("verify the signature of a saved webhook, or an evidence file")
    .argument("<file>", "the exact body of a webhook (- reads standard input), or an evidence file named *.zip")
    .option("--signature <text>", "the X-Service-Signature header")
    .option("--header <line>", "a header as `Name: value`; can be repeated", (line, sofar) => [...(sofar ?? []), line])
    .option("--secret <secret>", "the signing secret (default: QUERENT_SIGNING_SECRET, or read from the service)")
    .option("--key <file>", "for evidence: the public keys to trust, as PEM, JWK, or the service's published set")
    .action(async (file, flags, command) => {
      const context = open(command);
      if (!/\.zip$/i.test(file)) await verifyNotification(context, file, flags);
      else if (!(await verifyEvidence(context.output, file, flags.key))) process.exitCode = exitCodes.notVerified.code;
    });
}
async function verifyNotification(context, file, flags) {
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
/** Verifies evidence offline, with only the file and the keys to trust. Returns whether it is valid. */
async function verifyEvidence(output, file, keyFile) {
  const verdict = await verifyEvidenceFile(file, keyFile).catch((error) => {
    throw error instanceof EvidenceFileError ? new UsageError(error.message) : error;
  });
  const isRefused = verdict.verdict === "refused";
  const paint = isRefused ? output.color.red : output.color.green;
  await output.show(verdict, () => [paint(printableLine(verdict.sentence))]);
  return !isRefused;
}
async function readGiven(file) {
  try {
    return await readFile(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
function headersOf({ header = [], signature }) {
  const headers = {};
  for (const line of header) {
    const colon = line.indexOf(":");
    if (colon < 1) throw new UsageError(`Expected a header as "Name: value", not "${printableLine(line)}".`);
    headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
  }
  if (signature !== undefined) headers["x-service-signature"] = signature;
  return headers;
}
