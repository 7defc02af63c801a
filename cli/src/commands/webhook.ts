import { eventTypes, type EventType, type WebhookRecord } from "@querent/client";
import { Option, type Command } from "commander";
import { durationMs, eventTypesIn } from "../arguments.ts";
import type { Open } from "../context.ts";
import { exitCodes, UsageError } from "../exit-codes.ts";
import type { CommandOutput } from "../output/output.ts";
import { printable, printableLine } from "../output/printable.ts";
import { querent as program } from "../program-names.ts";

interface TestFlags {
  readonly event?: EventType;
  readonly resultOmitted?: boolean;
}

export function addWebhook(commands: Command, open: Open): void {
  const webhook = commands.command("webhook").description("manage the account's webhook endpoint and signing secret");
  webhook
    .command("get")
    .description("show the settings; the secret only with --secret")
    .option("--secret", "print only the signing secret")
    .action(async ({ secret }: { secret?: boolean }, command: Command) => {
      const { output, querent, signal } = open(command);
      const record = await querent.webhook.get({ signal });
      if (secret === true) await output.text(record.signingSecret);
      else await output.show(record, () => recordLines(record, output));
    });
  webhook
    .command("set")
    .description("set or remove the endpoint")
    .argument("<url>", "an https: URL, or `none` to remove the endpoint")
    .option(
      "--events <types>",
      `the types of events to be told of, with task.finished, separated by commas: ${eventTypes.join(", ")} (default: as they are)`,
      eventTypesIn,
    )
    .action(async (url: string, { events }: { events?: readonly EventType[] }, command: Command) => {
      const { output, querent, signal } = open(command);
      if (url !== "none" && !url.startsWith("https://"))
        throw new UsageError(
          `Webhooks are sent to https: URLs only. For a program on this machine, use ${program} listen --forward http://localhost:3000/`,
        );
      const record = await querent.webhook.set(url === "none" ? null : url, {
        signal,
        ...(events === undefined ? {} : { events }),
      });
      await output.show(record, () => recordLines(record, output));
    });
  webhook
    .command("rotate")
    .description("create a new signing secret, which takes effect immediately")
    .option("--overlap <time>", "for this time, webhooks are also signed with the old secret (up to 7d)", durationMs, 0)
    .action(async ({ overlap }: { overlap: number }, command: Command) => {
      const { output, querent, signal } = open(command);
      const record = await querent.webhook.rotate({ previousSecretValidSeconds: Math.round(overlap / 1000), signal });
      await output.show(record, () => [
        ...recordLines(record, output),
        `new secret: ${record.signingSecret}`,
        ...(overlap === 0 ? ["Receivers reject webhooks until they have the new secret."] : []),
      ]);
    });
  webhook
    .command("test")
    .description("send a test webhook now, and show the response")
    .argument("[url]", "a URL to test instead of the account's endpoint")
    .addOption(new Option("--event <type>", "the type of event, with invented data").choices(eventTypes))
    .option("--result-omitted", "the form of a task's end whose result is too large for a webhook")
    .action(async (url: string | undefined, flags: TestFlags, command: Command) => {
      const { output, querent, signal } = open(command);
      const reply = await querent.webhook.test({ signal, ...flags, ...(url === undefined ? {} : { url }) });
      const { green, red } = output.color;
      await output.show(reply, () => [
        `${reply.passed ? green("passed") : red("failed")}: ${reply.status ?? reply.fault ?? "no response"} from ${printableLine(reply.url)} in ${reply.durationMs} ms`,
        ...(reply.responseSnippet === null || reply.responseSnippet === "" ? [] : [printable(reply.responseSnippet)]),
        ...(reply.suspensionLifted ? ["The suspension of the endpoint has been lifted."] : []),
      ]);
      if (!reply.passed) process.exitCode = exitCodes.notCompleted.code;
    });
}

function recordLines(record: WebhookRecord, { color }: CommandOutput): string[] {
  const paint = { active: color.green, suspended: color.red, unset: color.dim }[record.status];
  return [
    `endpoint: ${record.url === null ? color.dim("none") : printableLine(record.url)} ${paint(record.status)}`,
    `events:   ${record.events.join(", ")}`,
    `secret:   version ${record.secretVersion} (${program} webhook get --secret prints it)`,
    ...(record.suspendedAt === null ? [] : [`suspended since ${record.suspendedAt}`]),
    ...(record.lastSuccessAt === null ? [] : [`last success ${record.lastSuccessAt}`]),
  ];
}
