import type { Command } from "commander";
import type { Open } from "../context.ts";
import { plural } from "../output/answer.ts";
import { bringBack } from "./bring-back.ts";
import { addMaxWait } from "./max-wait.ts";

interface RetryFlags {
  readonly results?: string;
  readonly csv?: boolean;
  readonly wait: boolean;
}

export function addRetryFailed(commands: Command, open: Open): void {
  addMaxWait(commands.command("retry-failed"))
    .description("ask the failed tasks of a finished batch again, as a new batch; the same command twice pays once")
    .argument("<batchId>")
    .option("-o, --results <file>", "a .jsonl or .csv file; JSON lines on standard output when left out")
    .option("--csv", "CSV on standard output")
    .option("--no-wait", "do not wait for the tasks to end; prints the new batch")
    .action(async (batchId: string, flags: RetryFlags, command: Command) => {
      const context = open(command);
      const { output, querent, signal } = context;
      const retried = await querent.batches.retryFailed(batchId, { signal });
      if (retried === null) return output.note("No task of this batch failed: there is nothing to ask again.");
      const { batchId: newId, acceptedCount, estimatedPoints, replayed } = retried;
      output.note(
        replayed
          ? `They were asked again before, as batch ${newId}: ${plural(acceptedCount, "task")}. Nothing is paid twice.`
          : `${plural(acceptedCount, "failed task")} asked again as batch ${newId}, ${plural(estimatedPoints, "point")} held.`,
      );
      if (!flags.wait) return await output.json({ batchId: newId, itemCount: acceptedCount, estimatedPoints });
      await bringBack(context, [newId], { results: flags.results, csv: flags.csv, total: acceptedCount });
    });
}
