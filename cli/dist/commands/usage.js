import { timestamp } from "../arguments.js";
import { table } from "../output/columns.js";
import { printableLine } from "../output/printable.js";
export function addUsage(program, open) {
  program
    .command("usage")
    .description("show the points balance, and usage by day and platform")
    .option("--from <time>", "(default: 30 days ago)", timestamp)
    .option("--to <time>", "(default: now)", timestamp)
    .option("--ledger", "list the ledger entries of that time, newest first")
    .action(async ({ ledger, ...range }, command) => {
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
const columns = [
  { head: "DAY" },
  { head: "PLATFORM", least: 8 },
  { head: "COMPLETED", align: "right" },
  { head: "FAILED", align: "right" },
  { head: "CANCELED", align: "right", optional: 1 },
  { head: "POINTS", align: "right" },
];
const formatted = (points) => points.toLocaleString("en");
const cellsOf = (day) => [
  day.day,
  printableLine(day.platformCode),
  String(day.completed),
  String(day.failed),
  String(day.canceled),
  formatted(day.chargedPoints),
];
