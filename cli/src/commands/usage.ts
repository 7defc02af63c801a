import type { UsageRecord } from "@querent/client";
import type { Command } from "commander";
import { timestamp } from "../arguments.ts";
import type { Open } from "../context.ts";
import { table, type Column } from "../output/columns.ts";
import { printableLine } from "../output/printable.ts";

export function addUsage(program: Command, open: Open): void {
  program
    .command("usage")
    .description("show the points balance, and usage by day and platform")
    .option("--from <time>", "(default: 30 days ago)", timestamp)
    .option("--to <time>", "(default: now)", timestamp)
    .option("--ledger", "list the ledger entries of that time, newest first")
    .action(async ({ ledger, ...range }: { from?: string; to?: string; ledger?: boolean }, command: Command) => {
      const { output, querent, signal } = open(command);
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

const columns: readonly Column[] = [
  { head: "DAY" },
  { head: "PLATFORM", least: 8 },
  { head: "COMPLETED", align: "right" },
  { head: "FAILED", align: "right" },
  { head: "CANCELED", align: "right", optional: 1 },
  { head: "POINTS", align: "right" },
];

const formatted = (points: number) => points.toLocaleString("en");

const cellsOf = (day: UsageRecord["days"][number]): string[] => [
  day.day,
  printableLine(day.platformCode),
  String(day.completed),
  String(day.failed),
  String(day.canceled),
  formatted(day.chargedPoints),
];
