import { commandLine } from "../../service/src/app/cli/command-line.ts";
import { commandSections } from "./command-sections.ts";
import { generated } from "./schema-text.ts";

/** docs/reference/command-line.md: `querentd`, command by command, as `--help` says it. */
export function commandLinePage(): string {
  const program = commandLine();
  return [
    generated,
    "# The command line",
    "`querentd` runs and looks after a service. In a checkout it is `npm run --silent querentd -- COMMAND`. Its commands work beside a running service: on the same data folder, or on the same `DATABASE_URL`. They read the same [variables](configuration.md) as the service does.",
    "A command ends with 0 when it did what was asked, with 2 when it was called wrongly (there is no such command or flag, or a value is missing), and with 1 and one sentence on standard error when it could not do it. Only `serve` and `migrate` make a database where there is none.",
    ...commandSections(program),
    "",
  ].join("\n\n");
}
