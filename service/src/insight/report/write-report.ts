import { once } from "node:events";
import { PassThrough } from "node:stream";
import { figureAnswersMax, type FailedTaskRecord } from "@querent/contract";
import { writeReportZip, type ReportFile } from "@querent/evidence";
import { failedTaskOf } from "@querent/figures";
import type { Queryable } from "../../db/index.ts";
import { compute } from "../computing/compute.ts";
import { readFailures } from "../figures/read-failures.ts";
import { panelRecords } from "../observations/panel-records.ts";
import type { ReportInput, ReportSources } from "./read-facts.ts";
import type { ReadSigningKey } from "./seal-panel.ts";

/** Observations in one file. A zip has at most 100 files, so a larger report has larger ones. */
const recordsAtOnce = 1_000;
const observationFilesMax = 90;
/** Failed tasks in one file: those of the largest report are in four. */
const failuresAtOnce = Math.ceil(figureAnswersMax / 4);

/**
 * A report as a signed zip: the observations, what else it is made from, and the figures. The observations are written as they are
 * read, and the figures are computed from exactly these.
 */
export async function writeReport(
  database: Queryable,
  signing: ReadSigningKey,
  { accountId, panelId, window }: ReportInput,
  { sources, signal }: { readonly sources: ReportSources; readonly signal: AbortSignal },
): Promise<AsyncGenerator<Buffer>> {
  const { publicKey: key, privateKey } = await signing();
  const records = panelRecords(
    database,
    { accountId, panelId, ...window },
    Math.max(recordsAtOnce, Math.ceil(sources.answers / observationFilesMax)),
  );
  const failures = await readFailures(database, accountId, { panelId, ...window });
  const { service } = sources.facts;
  return writeReportZip({ panelId, window, service, key }, filesOf(sources, { records, failures }, signal), privateKey);
}

async function* filesOf(
  { facts, revisions, answers }: ReportSources,
  { records, failures }: { records: ReturnType<typeof panelRecords>; failures: readonly FailedTaskRecord[] },
  signal: AbortSignal,
): AsyncGenerator<ReportFile> {
  yield ofJson("facts.json", facts);
  yield ofJson("revisions.json", revisions);
  for (let from = 0; from < failures.length; from += failuresAtOnce) {
    const part = failures.slice(from, from + failuresAtOnce);
    yield ofLines(`failures/${fileNumber(from / failuresAtOnce + 1)}.jsonl`, linesOf(part));
  }
  // The figures are computed from what was written, while the writing continues.
  const written = new PassThrough({ objectMode: true, highWaterMark: 1 });
  const made = compute(
    { job: { kind: "zip", facts, failures: failures.map(failedTaskOf) }, answers, signal },
    textsOf(written),
  );
  // Its error is handled where it is awaited.
  made.catch(() => undefined);
  try {
    let number = 0;
    for await (const step of records) {
      const lines = linesOf(step);
      if (!written.write(lines)) await Promise.race([once(written, "drain"), made]);
      yield ofLines(`observations/${fileNumber(++number)}.jsonl`, lines);
    }
    written.end();
    yield { name: "report.json", mediaType: "application/json", bytes: Buffer.from(await made) };
  } finally {
    written.destroy();
  }
}

async function* textsOf(written: PassThrough): AsyncGenerator<string, void, void> {
  for await (const text of written) yield String(text);
}

const fileNumber = (number: number) => String(number).padStart(3, "0");
const linesOf = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");

const ofLines = (name: string, lines: string): ReportFile => ({
  name,
  mediaType: "application/x-ndjson",
  bytes: Buffer.from(lines),
});

const ofJson = (name: string, content: object): ReportFile => ({
  name,
  mediaType: "application/json",
  bytes: Buffer.from(`${JSON.stringify(content, null, 2)}\n`),
});
