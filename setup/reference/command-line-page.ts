import type { Command } from "commander";
import { commandLine } from "../../service/src/app/command-line.ts";
import { generated } from "./schema-text.ts";

/** docs/reference/command-line.md: `querentd`, command by command, as `--help` says it. */
export function commandLinePage(): string {
  const program = commandLine();
  return [
    generated,
    "# The command line",
    "`querentd` runs and looks after a service. In a checkout it is `npm run --silent querentd -- COMMAND`. Its commands work beside a running service: on the same data folder, or on the same `DATABASE_URL`. They read the same [variables](configuration.md) as the service does.",
    "A command ends with 0 when it did what was asked, and with 1 and one sentence on standard error when it could not.",
    ...leaves(program, []).map(
      ({ name, command }) => `## ${name}\n\n\`\`\`text\n${helpOf(command, name).trim()}\n\`\`\``,
    ),
    "",
  ].join("\n\n");
}

/** The commands that do something, in order. */
function leaves(command: Command, path: readonly string[]): { name: string; command: Command }[] {
  const here = [...path, command.name()];
  return command.commands.length === 0
    ? [{ name: here.join(" "), command }]
    : command.commands.flatMap((child) => leaves(child, here));
}

function helpOf(command: Command, name: string): string {
  command.configureHelp({ helpWidth: 110 });
  return command.helpInformation().replace(/^Usage: .*?(?= \[| <|$)/m, `Usage: ${name}`);
}
