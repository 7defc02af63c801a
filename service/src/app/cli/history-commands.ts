/** `querentd history`: the partitions of tasks, ledger entries and deliveries. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { exportTable, listPartitions, type Database } from "../../db/index.ts";
import { dropHistory, historyDaysMin, historyTables } from "../history.ts";
import { CommandError } from "./command-error.ts";
import { print, withDatabase, type OperatorOutput } from "./operator-command.ts";
import { readTime } from "./read-time.ts";
import { table } from "./table.ts";

export function addHistoryCommands(program: Command): void {
  const history = program
    .command("history")
    .description("list, export and drop old tasks, ledger entries and deliveries");
  history
    .command("list")
    .description("list the partitions, with the time that they cover and their size")
    .option("--json", "print JSON")
    .action((options: OperatorOutput) =>
      withDatabase(async ({ database }) => {
        const partitions = await describePartitions(database);
        const columns = ["PARTITION", "FROM", "TO", "ROWS, ABOUT", "MiB"].map((head) => ({ head }));
        const rows = partitions.map(({ name, from, to, rows: count, bytes }) => [
          name,
          from ?? "-",
          to ?? "-",
          Math.max(0, count),
          (bytes / 2 ** 20).toFixed(1),
        ]);
        print(options, partitions, table(columns, rows));
      }),
    );
  history
    .command("drop")
    .description("drop the partitions that end before a time, unless a task or delivery in them has not ended")
    .requiredOption("--before <time>", "2026-11-01, 2026-11-01T09:30:00Z, or how long ago, such as 365d", readTime)
    .option("--export <directory>", "write each partition to a file there first, a JSON object per row")
    .option("--json", "print JSON")
    .action((options: OperatorOutput & { before: Date; export?: string }) => drop(options));
}

async function describePartitions(database: Database) {
  const { rows } = await database.query<{ name: string; rows: number; bytes: number }>(
    `select c.relname as name, c.reltuples::bigint as rows, pg_total_relation_size(c.oid) as bytes
       from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = any($1::regclass[])`,
    [historyTables.map((each) => each.table)],
  );
  const sizes = new Map(rows.map((row) => [row.name, row]));
  const lists = await Promise.all(historyTables.map((each) => listPartitions(database, each)));
  return lists.flat().map(({ name, from, to }) => ({
    name,
    from: from?.toISOString() ?? null,
    to: to?.toISOString() ?? null,
    rows: sizes.get(name)?.rows ?? 0,
    bytes: sizes.get(name)?.bytes ?? 0,
  }));
}

async function drop({
  before,
  export: directory,
  ...output
}: OperatorOutput & { before: Date; export?: string }): Promise<void> {
  await withDatabase(async ({ config, database }) => {
    const days = historyDaysMin(config.retentionDays);
    if (before.getTime() > Date.now() - days * 86_400_000)
      throw new CommandError(
        `Only what is older than ${days} days can be dropped, twice \`QUERENT_RETENTION_DAYS\` plus 14: results, deliveries and the event feed refer to later tasks. Nothing was dropped.`,
      );
    if (directory !== undefined) await mkdir(directory, { recursive: true });
    const { dropped, kept } = await dropHistory(database, before, async ({ name }) => {
      if (directory === undefined) return;
      const file = `${name}.ndjson`;
      const { rows, sha256 } = await exportTable(database, name, join(directory, file));
      await writeFile(join(directory, `${file}.sha256`), `${sha256}  ${file}\n`);
      process.stderr.write(`${file}: ${rows} rows\n`);
    });
    const lines = [
      dropped.length === 0 ? "There is nothing to drop." : `Dropped: ${dropped.join(", ")}.`,
      ...(kept.length === 0
        ? []
        : [`Kept, since a task or delivery in them has not ended or is newer: ${kept.join(", ")}.`]),
    ];
    print(output, { dropped, kept }, lines.join("\n"));
  });
}
