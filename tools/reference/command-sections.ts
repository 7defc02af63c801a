import type { Command } from "commander";

/** A section for each command with its help. */
export function commandSections(program: Command): string[] {
  return leaves(program, []).map(
    ({ name, command }) => `## ${name}\n\n\`\`\`text\n${helpOf(command, name).trim()}\n\`\`\``,
  );
}

/** The commands without subcommands, in order. */
function leaves(command: Command, path: readonly string[]): { name: string; command: Command }[] {
  const here = [...path, command.name()];
  return command.commands.length === 0
    ? [{ name: here.join(" "), command }]
    : command.commands.filter((child) => !child.name().startsWith("__")).flatMap((child) => leaves(child, here));
}

function helpOf(command: Command, name: string): string {
  command.configureHelp({ helpWidth: 110 });
  return command.helpInformation().replace(/^Usage: .*?(?= \[| <|$)/m, `Usage: ${name}`);
}
