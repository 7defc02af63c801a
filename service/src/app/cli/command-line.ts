import { Command, Option } from "commander";
import { closest, distance } from "fastest-levenshtein";
import { addAccountCommands } from "./account-commands.ts";
import { roles } from "../compose.ts";
import { doctor } from "./doctor.ts";
import { addEvidenceCommands } from "./evidence-commands.ts";
import { addExportCommand } from "./export-command.ts";
import { addHistoryCommands } from "./history-commands.ts";
import { querentd } from "../../kernel/program-name.ts";
import { addBackupCommand } from "./backup-command.ts";
import { addCheckCommand } from "./check-command.ts";
import { addDemoCommand } from "./demo-command.ts";
import { addMasterKeyCommands } from "./master-key-commands.ts";
import { migrateCommand } from "./migrate-command.ts";
import { addSessionCommands } from "./session-commands.ts";
import { addNodeCommand } from "./node-command.ts";
import { addPlatformCommands } from "./platform-commands.ts";
import { addRecipeCommands } from "./recipe-commands.ts";
import { addReparseCommand } from "./reparse-command.ts";
import { serve } from "./serve.ts";
import { addTaskCommands } from "./task-commands.ts";
import { version } from "../version.ts";

/**
 * `serve` is the default command, and commander would take a misspelled command for an argument of `serve`. So a word in the
 * position of the command must be a command.
 */
export function checkCommand(program: Command, word: string | undefined): void {
  const known = [...program.commands.map((command) => command.name()), "help"];
  if (word === undefined || word.startsWith("-") || known.includes(word)) return;
  const meant = closest(word, known);
  const hint = distance(word, meant) <= Math.max(2, word.length / 2) ? ` Did you mean ${meant}?` : "";
  program.error(`error: unknown command '${word}'.${hint}`);
}

/** `querentd`, the operator's command line, with all of its commands. */
export function commandLine(): Command {
  const program = new Command("querentd")
    .description("Run and manage a Querent service.")
    .version(version)
    .showHelpAfterError(`\`${querentd} --help\` lists the commands and their options.`)
    .exitOverride();

  program
    .command("serve", { isDefault: true })
    .description("run the service: API, workers and notifier in this process")
    .addOption(new Option("--roles <list>", "parts to run, separated by commas").default(roles.join(",")))
    .action(({ roles: list }: { roles: string }) => serve(list));

  program
    .command("migrate")
    .description("upgrade the database schema to this version, before or while the service runs")
    .option("--plan", "change nothing: print each step, what it locks and about how long it takes")
    .option("--json", "print JSON")
    .action((options: { plan?: boolean; json?: boolean }) => migrateCommand(options));

  program
    .command("doctor")
    .description("check the configuration, and show what is missing and what to do")
    .option("--json", "print JSON")
    .action((options: { json?: boolean }) => doctor(options));

  addAccountCommands(program);
  addPlatformCommands(program);
  addNodeCommand(program);
  addSessionCommands(program);
  addTaskCommands(program);
  addReparseCommand(program);
  addHistoryCommands(program);
  addExportCommand(program);
  addRecipeCommands(program);
  addEvidenceCommands(program);
  addMasterKeyCommands(program);
  addBackupCommand(program);
  addCheckCommand(program);
  addDemoCommand(program);
  return program;
}
