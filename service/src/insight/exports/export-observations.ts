/**
 * The incremental export of all accounts' observations to the bucket, for a warehouse. Each step writes a Parquet file under a name
 * that no reader knows, and then a numbered manifest that names it: readers read manifests only, in their order, so that each row is
 * loaded once. The manifest is stored in the database before it is written, so an interrupted step is continued with the same one.
 */
import { createHash } from "node:crypto";
import type { ContentStore } from "../../artifacts/index.ts";
import type { Database } from "../../db/index.ts";
import { flatColumns } from "../observations/flat-row.ts";
import { parquetChunks } from "../observations/parquet.ts";
import {
  exportFolder,
  nextExport,
  recordCommit,
  recordManifest,
  type ExportLimits,
  type ExportStep,
} from "./export-steps.ts";
import { exportedRows, type ExportedRow } from "./exported-rows.ts";

export interface ExportReport {
  /** Manifests written by this call. */
  manifests: number;
  rows: number;
}

export const exportLimits: ExportLimits = { rowsMax: 20_000, settleSeconds: 30 };

/** Exports what has been recorded since the last export. Returns immediately if another process is exporting. */
export async function exportObservations(
  database: Database,
  store: ContentStore,
  signal: AbortSignal,
  limits: ExportLimits = exportLimits,
): Promise<ExportReport> {
  const report: ExportReport = { manifests: 0, rows: 0 };
  // The lock ends with the connection, also if this process is killed.
  const lock = await database.connect();
  try {
    const { rows } = await lock.query<{ locked: boolean }>(
      "select pg_try_advisory_lock(hashtextextended('observation export', 0)) as locked",
    );
    if (rows[0]?.locked !== true) return report;
    while (!signal.aborted) {
      const step = await nextExport(database, limits);
      if (step === null) break;
      report.rows += await runStep(database, store, step, signal);
      report.manifests++;
    }
    return report;
  } finally {
    await lock.end();
  }
}

async function runStep(
  database: Database,
  store: ContentStore,
  step: ExportStep,
  signal: AbortSignal,
): Promise<number> {
  const { number } = step;
  let { manifest } = step;
  if (manifest === null) {
    // What the interrupted attempt may have written: no manifest names it.
    if (step.leftKey !== null) await store.remove(step.leftKey, signal);
    const data = await dataOf(database, step);
    await store.write(step.dataKey, data.bytes, signal);
    manifest = manifestOf(step, data);
    await recordManifest(database, step, { manifest, rows: data.rows });
  }
  await store.write(manifestKey(number), Buffer.from(manifest), signal);
  return recordCommit(database, number);
}

/** Numbers have no gaps: the reader's next manifest is the one after the last that it has read. */
export const manifestKey = (number: number): string =>
  `${exportFolder}/manifests/${String(number).padStart(9, "0")}.json`;

interface Data {
  readonly bytes: Buffer;
  readonly rows: number;
}

async function dataOf(database: Database, step: ExportStep): Promise<Data> {
  let rows = 0;
  async function* counted() {
    for await (const part of exportedRows(database, step)) {
      rows += part.length;
      yield part;
    }
  }
  const chunks: Buffer[] = [];
  for await (const chunk of parquetChunks(counted(), exportedColumns)) chunks.push(chunk);
  return { bytes: Buffer.concat(chunks), rows };
}

const exportedColumns = [
  { name: "accountId", type: "STRING" as const, of: ({ accountId }: ExportedRow) => accountId },
  ...flatColumns.map(({ name, type, of }) => ({ name, type, of: ({ record }: ExportedRow) => of(record) })),
];

function manifestOf({ number, from, to, dataKey }: ExportStep, { bytes, rows }: Data): string {
  const file = {
    key: dataKey,
    format: "parquet",
    bytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    rows,
  };
  return `${JSON.stringify({ version: 1, number, recordedFrom: from, recordedBefore: to, files: [file] }, null, 2)}\n`;
}
