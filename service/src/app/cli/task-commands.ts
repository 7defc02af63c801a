/** `querentd task`: the operator's view of a task, which its account does not have. */
import type { Command } from "commander";
import { accountOf, readStoredRaw } from "../../tasks/index.ts";
import { CommandError } from "./command-error.ts";
import { readUuid, withDatabase, type OperatorOutput } from "./operator-command.ts";

export function addTaskCommands(program: Command): void {
  program
    .command("task")
    .description("inspect tasks")
    .command("raw")
    .description("print the platform's unchanged response for a task, which is stored as long as the result")
    .argument("<id>", "the task", readUuid)
    .option("--json", "print JSON: the response, its type, and the reported usage")
    .action((taskId: string, options: OperatorOutput) =>
      withDatabase(async ({ database }) => {
        const accountId = await accountOf(database, { taskId, batchId: null });
        const stored = accountId === null ? null : await readStoredRaw(database, accountId, taskId);
        if (stored === null) throw new CommandError("There is no such task.");
        if (options.json === true) {
          process.stdout.write(`${JSON.stringify(stored, null, 2)}\n`);
          return;
        }
        if (stored.body === null) throw new CommandError(whyNone(stored));
        process.stdout.write(stored.body);
      }),
    );
}

function whyNone({ state, expired, mediaType }: { state: string; expired: boolean; mediaType: string | null }): string {
  if (state !== "completed") return `The task is ${state}: nothing is stored of an answer.`;
  if (expired) return "The result has expired, and what the platform sent with it.";
  return mediaType === null
    ? "This platform's answers are stored without the bytes that it sent."
    : "What the platform sent was larger than 16 MiB and was not kept.";
}
