import { writeReportZip, type ReportFile } from "@querent/evidence";
import { answerOf, type Answer } from "@querent/figures";
import type { Queryable } from "../../db/index.ts";
import { sharedSources } from "../figures/shared-sources.ts";
import { panelRecords } from "../observations/panel-records.ts";
import { computeReport } from "./compute-report.ts";
import type { ReportInput, ReportSources } from "./read-facts.ts";
import type { ReadSigningKey } from "./seal-panel.ts";

/** Observations in one file. A zip has at most 100 files, so a larger report has larger ones. */
const recordsAtOnce = 1_000;
const observationFilesMax = 90;

/**
 * A report as a signed zip: the observations, what else it is made from, and the figures. The observations are written as they are
 * read, and the figures are computed from exactly these.
 */
export async function writeReport(
  database: Queryable,
  signing: ReadSigningKey,
  { accountId, panelId, window }: ReportInput,
  sources: ReportSources,
): Promise<AsyncGenerator<Buffer>> {
  const { publicKey: key, privateKey } = await signing();
  const records = panelRecords(
    database,
    { accountId, panelId, ...window },
    Math.max(recordsAtOnce, Math.ceil(sources.answers / observationFilesMax)),
  );
  const { service } = sources.facts;
  return writeReportZip({ panelId, window, service, key }, filesOf(sources, records), privateKey);
}

async function* filesOf(
  { facts, revisions }: ReportSources,
  records: ReturnType<typeof panelRecords>,
): AsyncGenerator<ReportFile> {
  yield ofJson("facts.json", facts);
  yield ofJson("revisions.json", revisions);
  const answers: Answer[] = [];
  const shared = sharedSources();
  let number = 0;
  for await (const step of records) {
    for (const record of step) {
      const answer = answerOf(record);
      answers.push({ ...answer, sources: answer.sources.map(shared) });
    }
    const lines = step.map((record) => `${JSON.stringify(record)}\n`).join("");
    const name = `observations/${String(++number).padStart(3, "0")}.jsonl`;
    yield { name, mediaType: "application/x-ndjson", bytes: Buffer.from(lines) };
  }
  yield ofJson("report.json", await computeReport(facts, answers));
}

const ofJson = (name: string, content: object): ReportFile => ({
  name,
  mediaType: "application/json",
  bytes: Buffer.from(`${JSON.stringify(content, null, 2)}\n`),
});
