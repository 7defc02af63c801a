/** The options of a question, for a single question and for a file. */
import type { SubmittedOptions } from "@querent/client";
import { Option, type Command } from "commander";
import { list } from "../arguments.ts";

export interface QuestionOptions {
  readonly platform?: readonly string[];
  readonly deep?: boolean;
  readonly output?: NonNullable<SubmittedOptions["output"]>;
  readonly resultFormat?: NonNullable<SubmittedOptions["resultFormat"]>;
  readonly tag?: readonly string[];
}

export function addQuestionOptions(command: Command): Command {
  return command
    .option("-p, --platform <codes>", "platforms to ask, separated by commas", list)
    .option("--deep", "request a deeper analysis")
    .addOption(new Option("--output <kind>", "what to return").choices(["answer", "screenshot", "share_link"]))
    .addOption(new Option("--result-format <form>", "for web platforms").choices(["json", "html", "all"]))
    .option("--tag <tags>", "tags of the tasks, separated by commas", list);
}

export function submittedOptions({ deep, output, resultFormat }: QuestionOptions): SubmittedOptions {
  return {
    ...(deep === undefined ? {} : { deepAnalysis: deep }),
    ...(output === undefined ? {} : { output }),
    ...(resultFormat === undefined ? {} : { resultFormat }),
  };
}
