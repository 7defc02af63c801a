import { commandLine } from "../../cli/src/command-line.ts";
import { exitCodes } from "../../cli/src/exit-codes.ts";
import { commandSections } from "./command-sections.ts";
import { generated, table } from "./schema-text.ts";

/** docs/reference/querent.md: the help of each command of `querent`, and its exit codes. */
export async function querentPage(): Promise<string> {
  const program = await commandLine(new AbortController().signal);
  program.configureHelp({ helpWidth: 110 });
  const rows = Object.values(exitCodes).map(({ code, about }) => [String(code), about]);
  return [
    generated,
    "# The command line for users",
    "`querent` is a client of a running service. In a checkout, use `npm run --silent querent -- COMMAND`. See also [the guide](../how-to/command-line.md).",
    "## Exit codes",
    table(["Code", "Meaning"], rows),
    "## Flags of every command",
    `\`\`\`text\n${program.helpInformation().trim()}\n\`\`\``,
    ...commandSections(program),
    "",
  ].join("\n\n");
}
