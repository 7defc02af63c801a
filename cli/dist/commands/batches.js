import { createWriteStream } from "node:fs";
import { count, durationMs, timestamp } from "../arguments.js";
import { addMaxWait } from "./max-wait.js";
import { pendingOf, reportWaits } from "./report-waits.js";
import { exitCodes } from "../exit-codes.js";
import { table } from "../output/columns.js";
import { printableLine } from "../output/printable.js";
import { ProgressBar } from "../output/progress-bar.js";
import { ResultsWriter } from "../output/results-writer.js";
export function addBatches(program, open) {
  const batches = program.command("batches").description("list batches, wait for them, cancel them");
  batches
    .command("list")
    .description("list batches, newest first")
    .option("--from <time>", "created at this time or later, such as 2h or 2026-11-01", timestamp)
    .option("--before <time>", "created before this time", timestamp)
    .option("-n, --limit <n>", "maximum number of batches", count, 50)
    .action(async (flags, command) => listBatches(open(command), flags));
  batches
    .command("get")
    .description("show the status of a batch")
    .argument("<batchId>")
    .action(async (batchId, _flags, command) => {
      const { output, querent, signal } = open(command);
      const batch = await querent.batches.get(batchId, { signal });
      await output.show(batch, () => batchLines(batch, output));
    });
  addMaxWait(batches.command("wait"))
    .description("wait until every task of a batch has ended")
    .argument("<batchId>")
    .option("--timeout <time>", "how long to wait", durationMs)
    .action(async (batchId, { timeout }, command) => {
      const context = open(command);
      const { output, querent, signal } = context;
      const bar = new ProgressBar(output, "waiting");
      const batch = await reportWaits(context, pendingOf(context, batchId), () =>
        querent.batches.wait(batchId, {
          signal,
          timeoutMs: timeout,
          onUpdate: ({ counts, taskCount }) => bar.update(taskCount - counts.pending, taskCount),
        }),
      ).finally(() => bar.end(""));
      await output.show(batch, () => batchLines(batch, output));
      if (batch.counts.completed < batch.taskCount) process.exitCode = exitCodes.notCompleted.code;
    });
  batches
    .command("cancel")
    .description("cancel the unfinished tasks of a batch")
    .argument("<batchId>")
    .action(async (batchId, _flags, command) => {
      const { output, querent, signal } = open(command);
      const reply = await querent.batches.cancel(batchId, { signal });
      await output.show(reply, () => [`${reply.canceledCount} canceled`]);
    });
}
export function addResults(program, open) {
  program
    .command("results")
    .description("download the records of a batch's tasks, as JSON lines or CSV")
    .argument("<batchId>")
    .option("-o, --results <file>", "a .jsonl or .csv file (default: standard output)")
    .option("--csv", "CSV on standard output")
    .action(async (batchId, flags, command) => {
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
const columns = [
  { head: "BATCH" },
  { head: "CREATED (UTC)", optional: 3 },
  { head: "TASKS", align: "right" },
  { head: "COMPLETED", align: "right", optional: 4 },
  { head: "FAILED", align: "right" },
  { head: "PENDING", align: "right" },
  { head: "POINTS", align: "right", optional: 2 },
  { head: "FIRST QUESTION", least: 12, optional: 1 },
];
async function listBatches({ output, querent, signal }, { from, before, limit }) {
  const filters = {
    ...(from === undefined ? {} : { createdFrom: from }),
    ...(before === undefined ? {} : { createdBefore: before }),
    limit: Math.min(limit, 200),
  };
  const found = [];
  let number = 0;
  for await (const batch of querent.batches.list(filters, { signal })) {
    if (output.format === "json") await output.json(batch);
    else found.push(batch);
    if (++number >= limit) break;
  }
  if (output.format === "json") return;
  const rows = found.map(({ batchId, createdAt, taskCount, counts, points, firstQuestion }) => [
    batchId,
    createdAt.slice(0, 19).replace("T", " "),
    ...[taskCount, counts.completed, counts.failed, counts.pending, points.charged].map(String),
    printableLine(firstQuestion),
  ]);
  await output.text(...table(columns, rows, output.width));
}
function batchLines(batch, { color }) {
  const { counts, points } = batch;
  return [
    `${batch.batchId} ${batch.state === "finished" ? color.green("finished") : color.dim("pending")}`,
    `${batch.taskCount} tasks: ${counts.completed} completed, ${counts.failed} failed, ${counts.canceled} canceled, ${counts.pending} pending (${batch.running} running)`,
    `points: ${points.charged} charged, ${points.released} released of ${points.estimated}`,
    ...(batch.etaAt === null ? [] : [`estimated end: ${batch.etaAt}`]),
  ];
}
