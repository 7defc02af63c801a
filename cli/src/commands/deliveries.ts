import type { DeliveryDetail, DeliveryFilters, DeliveryRecord } from "@querent/client";
import { Option, type Command } from "commander";
import { count, timestamp } from "../arguments.ts";
import type { Context, Open } from "../context.ts";
import { table, type Column } from "../output/columns.ts";
import type { CommandOutput } from "../output/output.ts";
import { printable, printableLine } from "../output/printable.ts";
import { querent as program } from "../program-names.ts";

interface ListFlags {
  readonly state?: DeliveryRecord["state"];
  readonly task?: string;
  readonly destination?: string;
  readonly from?: string;
  readonly before?: string;
  readonly limit: number;
}

export function addDeliveries(commands: Command, open: Open): void {
  const deliveries = commands.command("deliveries").description("list webhook deliveries, and redeliver them");
  deliveries
    .command("list")
    .description("list deliveries, newest first")
    .addOption(new Option("--state <state>").choices(["pending", "delivered", "failed", "skipped", "superseded"]))
    .option("--task <id>")
    .option("--destination <url>", "an exact URL, or an origin")
    .option("--from <time>", "created at this time or later, such as 2h", timestamp)
    .option("--before <time>", "created before this time", timestamp)
    .option("-n, --limit <n>", "maximum number of deliveries", count, 50)
    .action(async (flags: ListFlags, command: Command) => listDeliveries(open(command), flags));
  deliveries
    .command("show")
    .description("show a delivery with its attempts and its body")
    .argument("<deliveryId>")
    .action(async (deliveryId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const delivery = await querent.deliveries.get(deliveryId, { signal });
      await output.show(delivery, () => detailLines(delivery, output));
    });
  deliveries
    .command("resend")
    .description("redeliver a task's notification, as a new delivery")
    .argument("<deliveryId>")
    .action(async (deliveryId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const delivery = await querent.deliveries.redeliver(deliveryId, { signal });
      await output.show(delivery, () => [
        `${delivery.deliveryId} ${delivery.state}, revision ${delivery.deliveryRevision}`,
      ]);
    });
  deliveries
    .command("recover")
    .description("redeliver everything that failed or was skipped since a time")
    .requiredOption("--since <time>", "such as 2h or 2026-11-01T09:30:00Z", timestamp)
    .option("--until <time>", "(default: now)", timestamp)
    .action(async ({ since, until }: { since: string; until?: string }, command: Command) => {
      const { output, querent, signal } = open(command);
      const reply = await querent.webhook
        .recover(
          { since, ...(until === undefined ? {} : { until }) },
          {
            signal,
            onProgress: ({ total, remaining }) => output.status(`${total} redelivered, ${remaining} remaining …`),
          },
        )
        .finally(() => output.status(""));
      await output.show(reply, () => [
        `${reply.redeliveredCount} redelivered, ${reply.remaining} remaining`,
        ...(reply.unaddressed > 0
          ? [`${reply.unaddressed} without an endpoint. Set one with: ${program} webhook set https://…`]
          : []),
      ]);
    });
}

const columns: readonly Column[] = [
  { head: "DELIVERY" },
  { head: "CREATED (UTC)", optional: 2 },
  { head: "STATE" },
  { head: "ATTEMPTS", align: "right", optional: 1 },
  { head: "TO", least: 16 },
];

async function listDeliveries({ output, querent, signal }: Context, flags: ListFlags): Promise<void> {
  const given = Object.entries({
    state: flags.state,
    taskId: flags.task,
    destination: flags.destination,
    createdFrom: flags.from,
    createdBefore: flags.before,
    limit: Math.min(flags.limit, 200),
  }).filter(([, value]) => value !== undefined);
  const filters: DeliveryFilters = Object.fromEntries(given);
  const found: DeliveryRecord[] = [];
  let number = 0;
  for await (const delivery of querent.deliveries.list(filters, { signal })) {
    if (output.format === "json") await output.json(delivery);
    else found.push(delivery);
    if (++number >= flags.limit) break;
  }
  if (output.format === "json") return;
  const rows = found.map((delivery) => [
    delivery.deliveryId,
    delivery.createdAt.slice(0, 19).replace("T", " "),
    stateText(delivery, output),
    String(delivery.attemptCount),
    printableLine(delivery.url ?? "-"),
  ]);
  await output.text(...table(columns, rows, output.width));
}

function stateText({ state, phase }: DeliveryRecord, { color }: CommandOutput): string {
  const paint = { delivered: color.green, failed: color.red, pending: color.yellow }[state as string] ?? color.dim;
  return paint(phase === null ? state : `${state}, ${phase}`);
}

function detailLines(delivery: DeliveryDetail, output: CommandOutput): string[] {
  const attempts = delivery.attempts.map(({ attempt, startedAt, durationMs, status, fault, responseSnippet }) =>
    [
      `${attempt}. ${startedAt}  ${status ?? fault ?? "-"}  ${durationMs} ms`,
      ...(responseSnippet === null || responseSnippet === ""
        ? []
        : [`   ${printableLine(responseSnippet).slice(0, 300)}`]),
    ].join("\n"),
  );
  return [
    `${delivery.deliveryId} ${stateText(delivery, output)}, revision ${delivery.deliveryRevision}`,
    `${delivery.taskId === null ? `${delivery.event} ${delivery.eventId}` : `task ${delivery.taskId}`} to ${printableLine(delivery.url ?? "no endpoint")}`,
    ...(delivery.nextAttemptAt === null ? [] : [`next attempt ${delivery.nextAttemptAt}`]),
    ...(attempts.length === 0 ? ["no attempt yet"] : ["", ...attempts]),
    ...(delivery.request === null ? [] : ["", printable(delivery.request.body)]),
  ];
}
