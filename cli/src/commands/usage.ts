import type { ProjectUsageDay, UsageRecord } from "@querent/client";
import { Option, type Command } from "commander";
import { timestamp } from "../arguments.ts";
import type { Context, Open } from "../context.ts";
import { table, type Column } from "../output/columns.ts";
import { printableLine } from "../output/printable.ts";

export function addUsage(program: Command, open: Open): void {
  program
    .command("usage")
    .description("show the points balance, and usage by day and platform, or by project")
    .option("--from <time>", "(default: 30 days ago)", timestamp)
    .option("--to <time>", "(default: now)", timestamp)
    .option("--ledger", "list the ledger entries of that time, newest first")
    .addOption(
      new Option(
        "--project [name]",
        "what the panels of each project have asked, or those of one, by name or id",
      ).conflicts("ledger"),
    )
    .action(async ({ ledger, project, ...range }: UsageFlags, command: Command) => {
      const context = open(command);
      const { output, querent, signal } = context;
      if (project !== undefined) return await projectUsage(context, project === true ? {} : { project }, range);
      if (ledger === true) {
        for await (const entry of querent.usage.ledger(range, { signal }))
          await output.show(entry, () => [
            [
              entry.createdAt,
              entry.kind.padEnd(7),
              String(entry.points).padStart(8),
              entry.taskId ?? entry.batchId ?? printableLine(entry.note ?? ""),
            ].join("  "),
          ]);
        return;
      }
      const usage = await querent.usage.get({ ...range, signal });
      const { available, held, captured, granted } = usage.balance;
      await output.show(usage, () => [
        `${printableLine(usage.account)}: ${formatted(available)} points available, ${formatted(held)} held, ${formatted(captured)} spent of ${formatted(granted)}`,
        ...(usage.days.length === 0 ? [] : [""]),
        ...(usage.days.length === 0 ? [] : table(columns, usage.days.map(cellsOf), output.width)),
      ]);
    });
}

interface UsageFlags {
  readonly from?: string;
  readonly to?: string;
  readonly ledger?: boolean;
  /** True: all projects. */
  readonly project?: string | true;
}

async function projectUsage(
  { output, querent, signal }: Context,
  of: { readonly project?: string },
  { from, to }: { readonly from?: string; readonly to?: string },
): Promise<void> {
  const days = {
    ...(from === undefined ? {} : { from: from.slice(0, 10) }),
    ...(to === undefined ? {} : { to: to.slice(0, 10) }),
  };
  const usage = await querent.usage.projects({ ...of, ...days }, { signal });
  if (output.format === "json") return await output.json(usage);
  if (usage.days.length === 0)
    return output.note(`No panel of a project asked anything from ${usage.from} to ${usage.to}.`);
  const rows = usage.days.map((day) => {
    const [first = "", ...others] = cellsOf(day);
    return [first, printableLine(day.projectName ?? day.projectId), ...others];
  });
  const [day = { head: "DAY" }, ...rest] = columns;
  return await output.text(...table([day, { head: "PROJECT", least: 8 }, ...rest], rows, output.width));
}

const columns: readonly Column[] = [
  { head: "DAY" },
  { head: "PLATFORM", least: 8 },
  { head: "COMPLETED", align: "right" },
  { head: "FAILED", align: "right" },
  { head: "CANCELED", align: "right", optional: 1 },
  { head: "POINTS", align: "right" },
];

const formatted = (points: number) => points.toLocaleString("en");

const cellsOf = (day: UsageRecord["days"][number] | ProjectUsageDay): string[] => [
  day.day,
  printableLine(day.platformCode),
  String(day.completed),
  String(day.failed),
  String(day.canceled),
  formatted(day.chargedPoints),
];
