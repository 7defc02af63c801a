import { Command, Option } from "commander";
import { addAccountCommands } from "./account-commands.ts";
import { roles } from "./compose.ts";
import { doctor } from "./doctor.ts";
import { addEvidenceCommands } from "./evidence-commands.ts";
import { migrateCommand } from "./migrate-command.ts";
import { addPlatformCommands } from "./platform-commands.ts";
import { addRecipeCommands } from "./recipe-commands.ts";
import { addReparseCommand } from "./reparse-command.ts";
import { serve } from "./serve.ts";
import { addTaskCommands } from "./task-commands.ts";
import { version } from "./version.ts";

/** `querentd`, the operator's command line, with all of its commands. */
export function commandLine(): Command {
  const program = new Command("querentd")
    .description("Runs and looks after a Querent service.")
    .version(version)
    .showHelpAfterError();

  program
    .command("serve", { isDefault: true })
    .description("run the service: API, workers and notifier in this process")
    .addOption(new Option("--roles <list>", "parts to run, separated by commas").default(roles.join(",")))
    .action(({ roles: list }: { roles: string }) => serve(list));

  program.command("migrate").description("bring the database's schema up to this version").action(migrateCommand);

  program
    .command("doctor")
    .description("what is configured, what is missing, what to do")
    .option("--json", "print JSON")
    .action((options: { json?: boolean }) => doctor(options));

  addAccountCommands(program);
  addPlatformCommands(program);
  addTaskCommands(program);
  addReparseCommand(program);
  addRecipeCommands(program);
  addEvidenceCommands(program);
  return program;
}
