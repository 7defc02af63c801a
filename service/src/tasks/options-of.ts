import type { AskedAs, TaskOptions } from "@querent/contract";

/** The columns of a task that hold its options. */
export interface OptionsRow {
  deep_analysis: boolean;
  output: TaskOptions["output"];
  result_format: TaskOptions["resultFormat"];
  /** The options that say from where, as whom and with what is asked; null if none was requested. */
  asked_as: AskedAs | null;
}

export function optionsOf({ deep_analysis, output, result_format, asked_as }: OptionsRow): TaskOptions {
  return { deepAnalysis: deep_analysis, output, resultFormat: result_format, ...asked_as };
}
