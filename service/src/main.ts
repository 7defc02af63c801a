/** `querentd`, the operator's command line. */
import { Command, Option } from "commander";
import { addAccountCommands } from "./app/account-commands.ts";
import { roles } from "./app/compose.ts";
import { ConfigError } from "./app/config.ts";
import { doctor } from "./app/doctor.ts";
import { migrateCommand } from "./app/migrate-command.ts";
import { serve } from "./app/serve.ts";
import { version } from "./app/version.ts";
import { BootError } from "./db/index.ts";

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

try {
  await program.parseAsync();
} catch (error) {
  // A fault the operator can mend is told in one sentence; anything else with all there is to find its cause.
  if (
    error instanceof ConfigError ||
    error instanceof BootError ||
    (error instanceof Error && ["CommandError", "MasterKeyError"].includes(error.name))
  ) {
    console.error(`querentd: ${error.message}`);
  } else {
    console.error(error);
  }
  process.exitCode = 1;
}
