import { plural } from "../output/answer.js";
import { bringBack } from "./bring-back.js";
import { addMaxWait } from "./max-wait.js";
export function addRetryFailed(commands, open) {
  addMaxWait(commands.command("retry-failed"))
    .description(
      "submit the failed tasks of a finished batch again, as a new batch; repeating the command does not pay twice",
    )
    .argument("<batchId>")
    .option("-o, --results <file>", "a .jsonl or .csv file (default: JSON lines on standard output)")
    .option("--csv", "CSV on standard output")
    .option("--no-wait", "print the new batch and do not wait for its tasks")
    .action(async (batchId, flags, command) => {
      const context = open(command);
      const { output, querent, signal } = context;
      const retried = await querent.batches.retryFailed(batchId, { signal });
      if (retried === null) return output.note("No task of this batch has failed.");
      const { batchId: newId, acceptedCount, estimatedPoints, replayed } = retried;
      output.note(
        replayed
          ? `The failed tasks were already submitted again as batch ${newId}: ${plural(acceptedCount, "task")}. Nothing is paid twice.`
          : `${plural(acceptedCount, "failed task")} submitted again as batch ${newId}, ${plural(estimatedPoints, "point")} held.`,
      );
      if (!flags.wait) return await output.json({ batchId: newId, itemCount: acceptedCount, estimatedPoints });
      await bringBack(context, [newId], { results: flags.results, csv: flags.csv, total: acceptedCount });
    });
}
