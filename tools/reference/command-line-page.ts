import { commandLine } from "../../service/src/app/cli/command-line.ts";
import { commandSections } from "./command-sections.ts";
import { generated } from "./schema-text.ts";

/** docs/reference/command-line.md: the help of each command of `querentd`. */
export async function commandLinePage(): Promise<string> {
  const program = await commandLine("help");
  return [
    generated,
    "# The command line",
    "`querentd` runs and manages a service. In a checkout, use `npm run --silent querentd -- COMMAND`. Its commands can be used while the service runs, with the same data folder or the same `DATABASE_URL`. They read the same [variables](configuration.md) as the service.",
    "The exit code is 0 for success, 2 for invalid usage (an unknown command or flag, or a missing value), and 1, with a message on standard error, for any other error. Only `serve` and `migrate` create a database.",
    ...commandSections(program),
    "",
  ].join("\n\n");
}
