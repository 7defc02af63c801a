/** `querentd history`: the partitions of tasks, ledger entries and deliveries. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InvalidArgumentError, type Command } from "commander";
import {
  exportTable,
  listPartitions,
  migrate,
  planMigration,
  type Database,
  type MigrationEvent,
  type PlannedMigration,
} from "../../db/index.ts";
import { auditCommand } from "../../audit/index.ts";
import { noteAudit } from "../../runtime/audited.ts";
import { auditedCommand } from "./audited-commands.ts";
import { dropHistory, historyDaysMin, historyTables } from "../history.ts";
import { CommandError } from "../command-error.ts";
import { print, withDatabase, readTime, stopSignal, type OperatorOutput } from "./operator-command.ts";
import { table } from "./table.ts";
import pc from "picocolors";
import { checkContents } from "../../artifacts/index.ts";
import { checkConsistency, type ConsistencyCheck } from "../../operator/index.ts";
import { readConfig, type Config } from "../config.ts";
import { openContentStore } from "../open-content-store.ts";
import { openExistingDatabase, openDatabase } from "../open-database.ts";
import { exportLimits, exportObservations } from "../../observations/index.ts";
import { NoDatabaseError } from "../../db/embedded/index.ts";

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
    noteAudit({ after: { before: before.toISOString() } });
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

export function addCheckCommand(program: Command): void {
  program
    .command("check")
    .description(
      "check that the database is whole and artifacts are in the store; the exit code is 1 if anything is wrong",
    )
    .option(
      "--artifacts <n>",
      "how many artifacts to read and compare with their digests, the newest first",
      readCount,
      1000,
    )
    .option("--json", "print JSON")
    .action(check);
}

/** `querentd check`: changes nothing and migrates nothing, so it also runs on a restored backup, and needs no master key. */
async function check(options: OperatorOutput & { artifacts: number }): Promise<void> {
  const config = readConfig(process.env);
  await using opened = await openExistingDatabase(config);
  const { at, checks } = await checkConsistency(opened.database);
  const store = openContentStore(config);
  let contents;
  try {
    contents = await checkContents(opened.database, store, options.artifacts);
  } finally {
    await store.close();
  }
  const all: readonly ConsistencyCheck[] = [
    ...checks,
    {
      holds: `the newest ${contents.read} artifacts are in ${store.place}, unchanged`,
      violations: contents.violations,
      unchecked: null,
    },
  ];
  print(options, { at, checks: all }, all.map(describeCheck).join("\n"));
  if (all.some(({ violations }) => violations.length > 0)) process.exitCode = 1;
}

function describeCheck({ holds, violations, unchecked }: ConsistencyCheck): string {
  if (unchecked !== null) return `${pc.yellow("-    ")}  ${holds}: not checked, because ${unchecked}`;
  if (violations.length === 0) return `${pc.green("ok   ")}  ${holds}`;
  return [`${pc.red("WRONG")}  ${holds}`, ...violations.map((violation) => `         not: ${violation}`)].join("\n");
}

function readCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("A number of artifacts is a whole number.");
  return count;
}

/** `querentd export-observations` */
export function addExportCommand(program: Command): void {
  program
    .command("export-observations")
    .description(
      `export the observations recorded since the last export to the place of artifacts, as Parquet files with manifests; those of the last ${exportLimits.settleSeconds} seconds follow with the next export`,
    )
    .option("--json", "print JSON")
    .action((options: OperatorOutput) =>
      withDatabase(async ({ config, database }) => {
        const store = openContentStore(config);
        using stop = stopSignal();
        try {
          const report = await exportObservations(database, store, stop.signal);
          print(
            options,
            { ...report, place: store.place },
            report.manifests === 0
              ? "There is nothing to export, or another process is exporting."
              : `${report.rows} observations were exported to ${store.place}, with ${report.manifests} new manifests.`,
          );
        } finally {
          await store.close();
        }
      }),
    );
}

/** `querentd migrate` */
export async function migrateCommand(options: OperatorOutput & { plan?: boolean }): Promise<void> {
  const config = readConfig(process.env);
  if (options.plan === true) return printPlan(config, options);
  await using opened = await openDatabase(config, { lock: null, log: null });
  // A stop takes effect between two steps, so that no step is lost.
  using stop = stopSignal();
  const onEvent = (event: MigrationEvent) => console.error(sentenceOf(event));
  const { applied } = await migrate(opened.database, { onEvent, signal: stop.signal }).catch((error: unknown) => {
    throw stop.signal.aborted
      ? new CommandError("Stopped. What was done stays, and the next run goes on from there.")
      : error;
  });
  const audited = auditedCommand();
  if (applied.length > 0 && audited !== null)
    await auditCommand(opened.database, audited, async () => noteAudit({ after: { applied } }));
  print(options, { applied }, applied.length === 0 ? "The schema is up to date." : `Applied: ${applied.join(", ")}`);
}

async function printPlan(config: Config, options: OperatorOutput): Promise<void> {
  const opened = await openDatabase(config, { lock: null, log: null, create: false }).catch((error: unknown) => {
    if (error instanceof NoDatabaseError) return null;
    throw error;
  });
  if (opened === null) {
    print(options, { migrations: null }, "There is no database yet. `querentd migrate` or the first start makes one.");
    return;
  }
  await using open = opened;
  const migrations = await planMigration(open.database);
  print(
    options,
    { migrations },
    migrations.length === 0 ? "The schema is up to date." : migrations.map(describeMigration).join("\n\n"),
  );
}

function describeMigration({ name, besideFrom, steps }: PlannedMigration): string {
  const beside =
    besideFrom === null
      ? "Stop every process of an older version before."
      : `Code with migration ${String(besideFrom).padStart(4, "0")} or a later one may go on running.`;
  const lines = steps.flatMap(({ kind, state, what, locks, duration }, index) => [
    `  ${index + 1}. ${kind}${state === "pending" ? "" : ` (${state})`}, ${duration}: ${what}`,
    ...locks.map((lock) => `     locks ${lock}`),
  ]);
  return [`${name}: ${beside}`, ...lines].join("\n");
}

function sentenceOf(event: MigrationEvent): string {
  switch (event.event) {
    case "schema.step_done":
      return `${event.migration}: step ${event.step} is done, after ${event.durationMs} ms.`;
    case "schema.step_delayed":
      return `${event.migration}: step ${event.step} will be tried again: ${event.why}.`;
    case "schema.other_migrates":
      return "Another process is migrating this database. Waiting for it.";
    case "schema.behind":
      return `Waiting for ${event.lacking.join(", ")}.`;
  }
}
