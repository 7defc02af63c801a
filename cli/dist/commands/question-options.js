import { Option } from "commander";
import { list } from "../arguments.js";
export function addQuestionOptions(command) {
  return command
    .option("-p, --platform <codes>", "platforms to ask, separated by commas", list)
    .option("--deep", "request a deeper analysis")
    .addOption(new Option("--output <kind>", "what to return").choices(["answer", "screenshot", "share_link"]))
    .addOption(new Option("--result-format <form>", "for web platforms").choices(["json", "html", "all"]))
    .option("--tag <tags>", "tags of the tasks, separated by commas", list);
}
export function submittedOptions({ deep, output, resultFormat }) {
  return {
    ...(deep === undefined ? {} : { deepAnalysis: deep }),
    ...(output === undefined ? {} : { output }),
    ...(resultFormat === undefined ? {} : { resultFormat }),
  };
}
