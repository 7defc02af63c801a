import { migrate, planMigration, type MigrationEvent, type PlannedMigration } from "../../db/index.ts";
import { NoDatabaseError } from "../../db/embedded/index.ts";
import { CommandError } from "./command-error.ts";
import { readConfig, type Config } from "../config.ts";
import { openDatabase } from "../open-database.ts";
import { print, type OperatorOutput } from "./operator-command.ts";
import { stopSignal } from "./stop-signal.ts";

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
    migrations.length === 0 ? "The schema is up to date." : migrations.map(describe).join("\n\n"),
  );
}

function describe({ name, besideFrom, steps }: PlannedMigration): string {
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
