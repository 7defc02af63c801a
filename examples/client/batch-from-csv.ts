/**
 * Submits the questions of a CSV file and writes the answers to another file. If it is stopped and started again, it resumes:
 * the run key is the name of the file and the day, so nothing is asked or charged twice.
 *
 *   QUERENT_URL=http://127.0.0.1:8080 QUERENT_TOKEN=qrt_... node examples/client/batch-from-csv.ts questions.csv sample
 *
 * The command line does the same, with a journal: `querent submit questions.csv --platform sample --results answers.csv`.
 */
import { createReadStream, createWriteStream } from "node:fs";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { csvLines, Querent } from "@querent/client";
import { parse } from "csv-parse";

const [file, platformCode] = process.argv.slice(2);
if (file === undefined || platformCode === undefined) throw new Error("Usage: batch-from-csv.ts FILE.csv PLATFORM");
const querent = new Querent({
  url: process.env["QUERENT_URL"] ?? "http://127.0.0.1:8080",
  token: process.env["QUERENT_TOKEN"] ?? "",
});

const day = new Date().toISOString().slice(0, 10);
const batchIds: string[] = [];
for await (const { accepted, firstItem, itemCount, replayed } of querent.tasks.submitAll(
  questions(file, platformCode),
  {
    runKey: `${encodeURIComponent(basename(file))}-${day}`,
  },
)) {
  batchIds.push(accepted.batchId);
  console.log(`${firstItem + 1} to ${firstItem + itemCount}: ${replayed ? "was already accepted" : "accepted"}`);
}

const answers = file.replace(/\.csv$/, "") + ".answers.csv";
// Answers are untrusted: where a spreadsheet could take text for a formula, csvLines writes an apostrophe.
await pipeline(rows(batchIds), createWriteStream(answers));
console.log(`answers in ${answers}`);

async function* questions(path: string, platform: string) {
  const records = createReadStream(path).pipe(parse({ columns: true, bom: true })) as AsyncIterable<
    Record<string, string>
  >;
  let row = 0;
  for await (const record of records) {
    yield { question: record["question"] ?? "", platformCode: platform, clientReference: `row-${++row}` };
  }
}

async function* rows(ids: readonly string[]) {
  yield csvLines([["reference", "question", "state", "answer", "sources"]]);
  for (const batchId of ids) {
    await querent.batches.wait(batchId);
    for await (const { clientReference, question, state, content, sources } of querent.batches.results(batchId))
      yield csvLines([[clientReference, question, state, content, sources.map(({ url }) => url).join(" ")]]);
  }
}
