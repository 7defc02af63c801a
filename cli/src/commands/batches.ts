import { createWriteStream } from "node:fs";
import type { BatchRecord } from "@querent/client";
import type { Command } from "commander";
import { durationMs } from "../arguments.ts";
import type { Open } from "../context.ts";
import { addMaxWait } from "./max-wait.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Output } from "../output/output.ts";
import { ProgressBar } from "../output/progress-bar.ts";
import { ResultsWriter } from "../output/results-writer.ts";

export function addBatches(program: Command, open: Open): void {
  const batches = program.command("batches").description("look at batches, wait for them, cancel what is left of them");
  batches
    .command("get")
    .description("how a batch stands")
    .argument("<batchId>")
    .action(async (batchId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const batch = await querent.batches.get(batchId, { signal });
      await output.show(batch, () => batchLines(batch, output));
    });
  addMaxWait(batches.command("wait"))
    .description("wait until every task of a batch has ended")
    .argument("<batchId>")
    .option("--timeout <time>", "how long to wait", durationMs)
    .action(async (batchId: string, { timeout }: { timeout?: number }, command: Command) => {
      const { output, querent, signal } = open(command);
      const bar = new ProgressBar(output, "waiting");
      const batch = await querent.batches
        .wait(batchId, {
          signal,
          timeoutMs: timeout,
          onUpdate: ({ counts, taskCount }) => bar.update(taskCount - counts.pending, taskCount),
        })
        .finally(() => bar.end(""));
      await output.show(batch, () => batchLines(batch, output));
      if (batch.counts.completed < batch.taskCount) process.exitCode = exitCodes.notCompleted.code;
    });
  batches
    .command("cancel")
    .description("cancel every task of a batch that has not ended")
    .argument("<batchId>")
    .action(async (batchId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const reply = await querent.batches.cancel(batchId, { signal });
      await output.show(reply, () => [`${reply.canceledCount} canceled`]);
    });
}

export function addResults(program: Command, open: Open): void {
  program
    .command("results")
    .description("the records of a batch's tasks, as JSON lines or CSV")
    .argument("<batchId>")
    .option("-o, --results <file>", "a .jsonl or .csv file; standard output when left out")
    .option("--csv", "CSV on standard output")
    .action(async (batchId: string, flags: { results?: string; csv?: boolean }, command: Command) => {
      const { output, querent, signal } = open(command);
      const { results: file } = flags;
      const form = flags.csv === true || file?.endsWith(".csv") === true ? "csv" : "jsonl";
      const stream = file === undefined ? null : createWriteStream(file);
      const writer = new ResultsWriter(form, stream === null ? (text) => output.write(text) : stream);
      for await (const record of querent.batches.results(batchId, { signal })) await writer.write(record);
      await writer.end();
      if (file !== undefined) output.note(`${writer.count.toLocaleString("en")} records in ${file}`);
    });
}

function batchLines(batch: BatchRecord, { color }: Output): string[] {
  const { counts, points } = batch;
  return [
    `${batch.batchId} ${batch.state === "finished" ? color.green("finished") : color.dim("pending")}`,
    `${batch.taskCount} tasks: ${counts.completed} completed, ${counts.failed} failed, ${counts.canceled} canceled, ${counts.pending} pending (${batch.running} running)`,
    `points: ${points.charged} charged, ${points.released} released of ${points.estimated}`,
    ...(batch.etaAt === null ? [] : [`about done at ${batch.etaAt}`]),
  ];
}
