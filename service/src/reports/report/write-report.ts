import { once } from "node:events";
import { PassThrough } from "node:stream";
import { figureAnswersMax } from "@querent/contract";
import { writeReportZip, type ReportFile } from "@querent/evidence";
import type { Queryable } from "../../db/index.ts";
import { yieldToEventLoop } from "../../runtime/slices.ts";
import type { Turn } from "../../computing/computer.ts";
import { readFailures } from "../figures/read-failures.ts";
import { entitiesApart } from "../../observations/entities/entity-rows.ts";
import { projectOfPanel } from "../../panels/definitions/panels.ts";
import { panelRecords } from "../../observations/records/stream-rows.ts";
import type { ReportInput, ReportSources } from "./read-facts.ts";
import { job, narrowReport } from "./report-job.ts";
import type { ReadSigningKey } from "./seal-panel.ts";

/** Observations in one file. A zip has at most 100 files, so a larger report has larger ones. */
const recordsAtOnce = 1_000;
const observationFilesMax = 90;
/** Failed tasks in one file: those of the largest report are in four. */
const failuresAtOnce = Math.ceil(figureAnswersMax / 4);
/** A zip is computed while it is sent, and clients may be slow. */
const writtenWithinMs = 600_000;

/**
 * A report as a signed zip: the observations, what else it is made from, and the figures. The observations are written as they are
 * read, and the figures are computed from exactly these, in a turn that lasts as long as the zip is written.
 */
export async function writeReport(
  db: Queryable,
  signing: ReadSigningKey,
  { accountId, panelId, window }: ReportInput,
  made: { readonly sources: ReportSources; readonly turn: Turn; readonly signal: AbortSignal },
): Promise<AsyncGenerator<Buffer>> {
  const { publicKey: key, privateKey } = await signing();
  const selection = { panelId, ...window };
  const projectId = (await projectOfPanel(db, accountId, panelId)) ?? accountId;
  const entities = await entitiesApart(db, accountId, projectId);
  const records = panelRecords(db, { accountId, ...selection, entities });
  const failures = readFailures(db, accountId, selection);
  const { service } = made.sources.facts;
  return writeReportZip({ panelId, window, service, key }, filesOf(made, { records, failures }), privateKey);
}

interface Read {
  readonly records: AsyncIterable<readonly object[]>;
  readonly failures: AsyncIterable<readonly object[]>;
}

async function* filesOf(
  { sources: { facts, revisions, answers }, turn, signal }: Parameters<typeof writeReport>[3],
  { records, failures }: Read,
): AsyncGenerator<ReportFile> {
  yield ofJson("facts.json", facts);
  yield ofJson("revisions.json", revisions);
  // The figures are computed from what was written, while the writing continues.
  const written = { failures: new Written(), answers: new Written() };
  const computed = turn.run({
    job,
    input: { as: "zip", facts },
    inputs: { failures: () => written.failures.pages(), answers: () => written.answers.pages() },
    signal,
    narrow: narrowReport,
    timeMs: writtenWithinMs,
  });
  // Its error is handled where it is awaited.
  computed.catch(() => undefined);
  try {
    yield* written.failures.files("failures", { records: failures, perFile: failuresAtOnce, computed });
    const perFile = Math.max(recordsAtOnce, Math.ceil(answers / observationFilesMax));
    yield* written.answers.files("observations", { records, perFile, computed });
    yield { name: "report.json", mediaType: "application/json", bytes: Buffer.concat(await computed) };
  } finally {
    written.failures.destroy();
    written.answers.destroy();
  }
}

/** Records that are written to files, and are an input of the computation as they were written. */
class Written {
  readonly #pages = new PassThrough({ objectMode: true, highWaterMark: 1 });

  async *files(
    folder: string,
    {
      records,
      perFile,
      computed,
    }: { records: AsyncIterable<readonly object[]>; perFile: number; computed: Promise<unknown> },
  ): AsyncGenerator<ReportFile> {
    let number = 0;
    let lines: Buffer[] = [];
    let count = 0;
    const file = (): ReportFile => {
      const bytes = Buffer.concat(lines);
      [lines, count] = [[], 0];
      return { name: `${folder}/${String(++number).padStart(3, "0")}.jsonl`, mediaType: "application/x-ndjson", bytes };
    };
    for await (const step of records) {
      for (let from = 0; from < step.length;) {
        const part = step.slice(from, Math.min(from + linesAtOnce, from + perFile - count));
        from += part.length;
        count += part.length;
        const text = part.map((record) => `${JSON.stringify(record)}\n`).join("");
        lines.push(Buffer.from(text));
        if (!this.#pages.write(text)) await Promise.race([once(this.#pages, "drain"), computed]);
        await yieldToEventLoop();
        if (count === perFile) yield file();
      }
    }
    this.#pages.end();
    if (count > 0) yield file();
  }

  async *pages(): AsyncGenerator<string, void, void> {
    for await (const text of this.#pages) yield String(text);
  }

  destroy(): void {
    this.#pages.destroy();
  }
}

/** Records may be long, and are written in slices. */
const linesAtOnce = 50;

const ofJson = (name: string, content: object): ReportFile => ({
  name,
  mediaType: "application/json",
  bytes: Buffer.from(`${JSON.stringify(content, null, 2)}\n`),
});
