import { text } from "node:stream/consumers";
import {
  alertKinds,
  channelKinds,
  reportLanguages,
  type Alert,
  type AlertRequest,
  type Channel,
  type ChannelRequest,
  type ToldFinding,
} from "@querent/client";
import { InvalidArgumentError, Option, type Command } from "commander";
import type { Open } from "../context.ts";
import { plural } from "../output/answer.ts";
import { printableLine } from "../output/printable.ts";

/** `querent channel`: where reports and alerts go beside mail. */
export function addChannels(program: Command, open: Open): void {
  const channels = program
    .command("channel")
    .description("Slack, Teams, PagerDuty and endpoints for reports and alerts");
  channels
    .command("add")
    .description("create a channel; its address or integration key is read from standard input")
    .argument("<name>", "for people, such as #ai-visibility")
    .addOption(new Option("--kind <kind>", "what is behind it").choices([...channelKinds]).makeOptionMandatory())
    .addOption(new Option("--region <region>", "of PagerDuty (default: us)").choices(["us", "eu"]))
    .action(async (name: string, flags: Pick<ChannelRequest, "kind" | "region">, command: Command) => {
      const { output, querent, signal } = open(command);
      const secret = (await text(process.stdin)).trim();
      const made = await querent.channels.create({ ...flags, name, secret }, { signal });
      await output.show(made, () => [channelLine(made)]);
    });
  channels
    .command("list")
    .description("list the channels, without their secrets")
    .action(async (_flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const list = await querent.channels.list({ signal });
      await output.show({ channels: list }, () => (list.length === 0 ? ["no channels"] : list.map(channelLine)));
    });
  channels
    .command("test")
    .description("send a test, and say what happened")
    .argument("<channelId>")
    .action(async (channelId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const tested = await querent.channels.test(channelId, { signal });
      await output.show(tested, () => [printableLine(tested.detail)]);
      if (!tested.passed) process.exitCode = 1;
    });
  channels
    .command("remove")
    .description("delete a channel and its secret")
    .argument("<channelId>")
    .action(async (channelId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      await querent.channels.delete(channelId, { signal });
      await output.show({ channelId, removed: true }, () => [`${printableLine(channelId)} is removed`]);
    });
}

interface AlertFlags {
  readonly kind: AlertRequest["kinds"];
  readonly panel?: string[];
  readonly channel?: string[];
  readonly to?: string[];
  readonly quiet?: { readonly from: string; readonly to: string };
  readonly timeZone?: string;
  readonly language?: Alert["language"];
}

/** `querent alert`: what is found and what fails, told in channels and by mail. */
export function addAlerts(program: Command, open: Open): void {
  const alerts = program.command("alert").description("tell changes and problems in channels and by mail");
  alerts
    .command("add")
    .description("tell from now on what is found, each finding once")
    .argument("<name>")
    .addOption(new Option("--kind <kind...>", "of what it is").choices(Object.keys(alertKinds)).makeOptionMandatory())
    .option("--panel <panelId...>", "only of these panels (default: all)")
    .option("--channel <channelId...>", "channels to tell")
    .option("--to <email...>", "mail addresses; each gets a mail alone")
    .option("--quiet <hh:mm-hh:mm>", "hours in which nothing is told; it is told when they end", readHours)
    .option("--time-zone <name>", "of the quiet hours, such as Europe/Berlin (default: UTC)")
    .addOption(new Option("--language <code>", "language of the messages (default: en)").choices(reportLanguages))
    .action(async (name: string, flags: AlertFlags, command: Command) => {
      const { output, querent, signal } = open(command);
      const {
        kind: kinds,
        panel: panels,
        channel: channels,
        to: recipients,
        quiet,
        timeZone = "UTC",
        language,
      } = flags;
      const request: AlertRequest = {
        ...{ name, kinds },
        ...(panels === undefined ? {} : { panels }),
        ...(channels === undefined ? {} : { channels }),
        ...(recipients === undefined ? {} : { recipients }),
        ...(quiet === undefined ? {} : { quietHours: { ...quiet, timeZone } }),
        ...(language === undefined ? {} : { language }),
      };
      const made = await querent.alerts.create(request, { signal });
      await output.show(made, () => [alertLine(made)]);
    });
  alerts
    .command("list")
    .description("list the alerts")
    .action(async (_flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const list = await querent.alerts.list({ signal });
      await output.show(list, () => (list.alerts.length === 0 ? ["no alerts"] : list.alerts.map(alertLine)));
    });
  alerts
    .command("log")
    .description("list what an alert has told, with what became of each message")
    .argument("<alertId>")
    .action(async (alertId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const findings = await querent.alerts.findings(alertId, { signal });
      await output.show({ findings }, () =>
        findings.length === 0 ? ["nothing was found"] : findings.map(findingLine),
      );
    });
  alerts
    .command("remove")
    .description("end an alert; messages on their way still arrive")
    .argument("<alertId>")
    .action(async (alertId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      await querent.alerts.delete(alertId, { signal });
      await output.show({ alertId, removed: true }, () => [`${printableLine(alertId)} is removed`]);
    });
}

function readHours(value: string): { from: string; to: string } {
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(value) ?? [];
  if (from === undefined || to === undefined)
    throw new InvalidArgumentError("Two times are needed, such as 20:00-07:00.");
  return { from, to };
}

function channelLine({ channelId, kind, name, address, state, problem }: Channel): string {
  const how = state === "gone" ? `, gone: ${problem ?? ""}` : problem === null ? "" : `, last attempt: ${problem}`;
  return printableLine(`${channelId}  ${name} (${kind}, ${address})${how}`);
}

function alertLine({ alertId, name, kinds, panels, channels, recipients, quietHours, paused, waiting }: Alert): string {
  const to = [...channels.map((channel) => channel.name), ...recipients.map(({ email }) => email)];
  const of = panels === null ? "" : ` of ${plural(panels.length, "panel")}`;
  const quiet = quietHours === null ? "" : `, quiet ${quietHours.from}-${quietHours.to} (${quietHours.timeZone})`;
  const held = waiting === 0 ? "" : `, ${plural(waiting, "finding")} waiting`;
  return printableLine(
    `${alertId}  ${name}: ${kinds.join(", ")}${of} to ${to.join(", ")}${quiet}${held}${paused ? ", paused" : ""}`,
  );
}

function findingLine({ foundAt, kind, subject, state, deliveries }: ToldFinding): string {
  const told = deliveries.map((one) => `${one.to}: ${one.state}`).join(", ");
  return printableLine(`${foundAt}  ${kind}  ${subject}  ${state}${told === "" ? "" : ` (${told})`}`);
}
