import type { UsageRecord } from "@querent/client";
import type { Command } from "commander";
import { timestamp } from "../arguments.ts";
import type { Open } from "../context.ts";
import { table, type Column } from "../output/columns.ts";
import { printableLine } from "../output/printable.ts";

export function addUsage(program: Command, open: Open): void {
  program
    .command("usage")
    .description("points: the balance, and what was spent by day and platform")
    .option("--from <time>", "30 days ago when left out", timestamp)
    .option("--to <time>", "now when left out", timestamp)
    .option("--ledger", "every movement of points in that time, newest first")
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
        `${printableLine(usage.account)}: ${tell(available)} points available, ${tell(held)} held, ${tell(captured)} spent of ${tell(granted)}`,
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

const tell = (points: number) => points.toLocaleString("en");

const cellsOf = (day: UsageRecord["days"][number]): string[] => [
  day.day,
  printableLine(day.platformCode),
  String(day.completed),
  String(day.failed),
  String(day.canceled),
  tell(day.chargedPoints),
];
