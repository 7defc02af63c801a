import { commandLine } from "../../cli/src/command-line.ts";
import { exitCodes } from "../../cli/src/exit-codes.ts";
import { commandSections } from "./command-sections.ts";
import { generated, table } from "./schema-text.ts";

/** docs/reference/querent.md: `querent`, command by command, and what its exit codes mean. */
export function querentPage(): string {
  const program = commandLine(new AbortController().signal);
  program.configureHelp({ helpWidth: 110 });
  const rows = Object.values(exitCodes).map(({ code, about }) => [String(code), about]);
  return [
    generated,
    "# The users' command line",
    "`querent` asks a service that runs somewhere. In a checkout it is `npm run --silent querent -- COMMAND`. [The guide](../how-to/command-line.md) shows how to use it.",
    "## Exit codes",
    table(["Code", "Meaning"], rows),
    "## Flags of every command",
    `\`\`\`text\n${program.helpInformation().trim()}\n\`\`\``,
    ...commandSections(program),
    "",
  ].join("\n\n");
}
