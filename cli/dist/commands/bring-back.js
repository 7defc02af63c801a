import { createWriteStream, renameSync } from "node:fs";
import { exitCodes } from "../exit-codes.js";
import { plural } from "../output/answer.js";
import { ProgressBar } from "../output/progress-bar.js";
import { ResultsWriter } from "../output/results-writer.js";
import { pendingOf, reportWaits } from "./report-waits.js";
/** Waits for each batch and writes its results, in the order of the rows. A file is created only when it is complete. */
export async function bringBack(context, batchIds, { results: file, csv, total }) {
  const { querent, output, signal } = context;
  const form = csv === true || file?.endsWith(".csv") === true ? "csv" : "jsonl";
  const draft = `${file}.part`;
  const writer = new ResultsWriter(form, file === undefined ? (text) => output.write(text) : createWriteStream(draft));
  const bar = new ProgressBar(output, "answers");
  const ends = { completed: 0, failed: 0, canceled: 0 };
  let charged = 0;
  try {
    for (const batchId of batchIds) {
      await reportWaits(context, pendingOf(context, batchId), () =>
        querent.batches.wait(batchId, {
          signal,
          onUpdate: ({ taskCount, counts }) =>
            bar.update(writer.count + taskCount - counts.pending, total, summary(ends)),
        }),
      );
      for await (const record of querent.batches.results(batchId, { signal })) {
        if (record.state !== "pending") ends[record.state]++;
        charged += record.chargedPoints;
        await writer.write(record);
      }
    }
    await writer.end();
    if (file !== undefined) renameSync(draft, file);
  } finally {
    bar.end("");
  }
  output.note(
    `${plural(writer.count, "task")} ended: ${summary(ends)}; ${plural(charged, "point")} charged.${file === undefined ? "" : ` Results: ${file}`}`,
  );
  if (ends.completed < writer.count) process.exitCode = exitCodes.notCompleted.code;
}
const summary = ({ completed, failed, canceled }) =>
  `${completed.toLocaleString("en")} completed, ${failed.toLocaleString("en")} failed${canceled === 0 ? "" : `, ${canceled.toLocaleString("en")} canceled`}`;
