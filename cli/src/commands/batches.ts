import { createWriteStream } from "node:fs";
import type { BatchFilters, BatchRecord } from "@querent/client";
import type { Command } from "commander";
import { count, durationMs, timestamp } from "../arguments.ts";
import type { Context, Open } from "../context.ts";
import { addMaxWait } from "./max-wait.ts";
import { pendingOf, reportWaits } from "./report-waits.ts";
import { exitCodes } from "../exit-codes.ts";
import { plural } from "../output/answer.ts";
import { table, type Column } from "../output/columns.ts";
import type { CommandOutput } from "../output/output.ts";
import { printableLine } from "../output/printable.ts";
import { ProgressBar } from "../output/progress-bar.ts";
import { ResultsWriter } from "../output/results-writer.ts";

interface ListFlags {
  readonly from?: string;
  readonly before?: string;
  readonly limit: number;
}

export function addBatches(program: Command, open: Open): void {
  const batches = program.command("batches").description("list batches, wait for them, cancel them");
  batches
    .command("list")
    .description("list batches, newest first")
    .option("--from <time>", "created at this time or later, such as 2h or 2026-11-01", timestamp)
    .option("--before <time>", "created before this time", timestamp)
    .option("-n, --limit <n>", "maximum number of batches", count, 50)
    .action(async (flags: ListFlags, command: Command) => listBatches(open(command), flags));
  batches
    .command("get")
    .description("show the status of a batch")
    .argument("<batchId>")
    .action(async (batchId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const batch = await querent.batches.get(batchId, { signal });
      await output.show(batch, () => batchLines(batch, output));
    });
  addMaxWait(batches.command("wait"))
    .description("wait until every task of one or more batches has ended")
    .argument("<batchId...>")
    .option("--timeout <time>", "how long to wait for all of them", durationMs)
    .action(async (batchIds: string[], { timeout }: { timeout?: number }, command: Command) =>
      waitForBatches(open(command), batchIds, timeout),
    );
  batches
    .command("cancel")
    .description("cancel the unfinished tasks of a batch")
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
    .description("download the records of a batch's tasks, as JSON lines or CSV")
    .argument("<batchId>")
    .option("-o, --results <file>", "a .jsonl or .csv file (default: standard output)")
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

const columns: readonly Column[] = [
  { head: "BATCH" },
  { head: "CREATED (UTC)", optional: 3 },
  { head: "TASKS", align: "right" },
  { head: "COMPLETED", align: "right", optional: 4 },
  { head: "FAILED", align: "right" },
  { head: "PENDING", align: "right" },
  { head: "POINTS", align: "right", optional: 2 },
  { head: "FIRST QUESTION", least: 12, optional: 1 },
];

/** Shows each batch when it has ended, in the order given. One that does not exist is reported before any is waited for. */
async function waitForBatches(context: Context, batchIds: readonly string[], timeout?: number): Promise<void> {
  const { output, querent, signal } = context;
  const until = timeout === undefined ? undefined : performance.now() + timeout;
  for (const batchId of batchIds) await querent.batches.get(batchId, { signal });
  for (const batchId of batchIds) {
    const bar = new ProgressBar(output, "waiting");
    const batch = await reportWaits(context, pendingOf(context, batchId), () =>
      querent.batches.wait(batchId, {
        signal,
        timeoutMs: until === undefined ? undefined : Math.max(1, until - performance.now()),
        onUpdate: ({ counts, taskCount }) => bar.update(taskCount - counts.pending, taskCount),
      }),
    ).finally(() => bar.end(""));
    await output.show(batch, () => batchLines(batch, output));
    if (batch.counts.completed < batch.taskCount) process.exitCode = exitCodes.notCompleted.code;
  }
}

async function listBatches({ output, querent, signal }: Context, { from, before, limit }: ListFlags): Promise<void> {
  const filters: BatchFilters = {
    ...(from === undefined ? {} : { createdFrom: from }),
    ...(before === undefined ? {} : { createdBefore: before }),
    limit: Math.min(limit, 200),
  };
  const found: BatchRecord[] = [];
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

function batchLines(batch: BatchRecord, { color }: CommandOutput): string[] {
  const { counts, points } = batch;
  return [
    `${batch.batchId} ${batch.state === "finished" ? color.green("finished") : color.dim("pending")}`,
    `${plural(batch.taskCount, "task")}: ${counts.completed} completed, ${counts.failed} failed, ${counts.canceled} canceled, ${counts.pending} pending (${batch.running} running)`,
    `points: ${points.charged} charged, ${points.released} released of ${points.estimated}`,
    ...(batch.etaAt === null ? [] : [`estimated end: ${batch.etaAt}`]),
  ];
}
