/** The options of a question, for a single question and for a file. */
import { optionColumns, optionsOfColumns, type OptionColumn, type SubmittedOptions } from "@querent/client";
import { Option, type Command } from "commander";
import { coordinates, list } from "../arguments.ts";

/** The flags by name. Those of the client's table are read by `submittedOptions`. */
export interface QuestionOptions {
  readonly platform?: readonly string[];
  readonly tag?: readonly string[];
  readonly coordinates?: { readonly latitude: number; readonly longitude: number };
}

export function addQuestionOptions(command: Command): Command {
  command
    .option("-p, --platform <codes>", "platforms to ask, separated by commas", list)
    .option("--tag <tags>", "tags of the tasks, separated by commas", list);
  for (const column of optionColumns) {
    const option = optionOf(column);
    if (option !== null) command.addOption(option);
    if (column.name === "region")
      command.option("--coordinates <latitude,longitude>", "where to ask from, such as 48.14,11.58", coordinates);
  }
  return command;
}

/** Commander has checked the values of flags that are one of a few. The service checks the others. */
export function submittedOptions(flags: QuestionOptions): SubmittedOptions {
  const values = optionColumns.map((column) => {
    const name = optionOf(column)?.attributeName();
    return [column.name, name === undefined ? undefined : (flags as Record<string, unknown>)[name]] as const;
  });
  return optionsOfColumns({ ...Object.fromEntries(values), ...flags.coordinates });
}

function optionOf(column: OptionColumn): Option | null {
  if (column.flag === null) return null;
  const option = new Option(`--${column.flag}`, column.words);
  if (column.kind === "choice") return option.choices(column.choices);
  const kind: string = column.kind;
  if (kind === "number") return option.argParser(Number);
  return kind === "list" ? option.argParser(list) : option;
}
