/** `querentd mail`: whether mail arrives. */
import type { Command } from "commander";
import { ProblemError } from "../../api/problem-error.ts";
import { CommandError } from "../command-error.ts";
import { readConfig } from "../config.ts";
import { mailerOf, testMail } from "../mail.ts";
import { print, type OperatorOutput } from "./operator-command.ts";

export function addMailCommand(program: Command): void {
  program
    .command("mail")
    .description("test the mail settings")
    .command("test")
    .description("send a test mail with the settings of this environment, and say what happened")
    .argument("<address>", "to whom")
    .option("--json", "print JSON")
    .action(async (address: string, options: OperatorOutput) => {
      const tested = await testMail(mailerOf(readConfig(process.env)), address).catch((error: unknown) => {
        throw error instanceof ProblemError ? new CommandError(error.message) : error;
      });
      if (!tested.passed && options.json !== true) throw new CommandError(tested.detail);
      print(options, tested, tested.detail);
      if (!tested.passed) process.exitCode = 1;
    });
}
