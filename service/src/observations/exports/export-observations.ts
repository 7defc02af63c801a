/**
 * The incremental export of all accounts' observations to the bucket, for a warehouse. Each step writes a Parquet file under a name
 * that no reader knows, and then a numbered manifest that names it: readers read manifests only, in their order, so that each row is
 * loaded once. The manifest is stored in the database before it is written, so an interrupted step is continued with the same one.
 */
import { createHash, randomUUID } from "node:crypto";
import type { ContentStore } from "../../artifacts/index.ts";
import type { Database, Transaction, Queryable } from "../../db/index.ts";
import { flatColumns } from "../records/flat-row.ts";
import { parquetChunks } from "../records/parquet.ts";
import type { ObservationRecord } from "@querent/contract";
import { observationColumns, observationRecord, type ObservationRow } from "../records/observation-row.ts";

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

/** The start of the keys in the bucket. */
const exportFolder = "exports/observations";

interface ExportLimits {
  /** The maximum of rows of a file, which is made in memory. */
  readonly rowsMax: number;
  /** Rows that are younger are left for the next export: see `nextExport`. */
  readonly settleSeconds: number;
}

/** One manifest, to be written or continued. */
interface ExportStep {
  readonly number: number;
  /** The rows that were recorded from this time, */
  readonly from: string;
  /** and before this one. As text, because they have microseconds. */
  readonly to: string;
  /** The key under which this attempt writes its data. */
  readonly dataKey: string;
  /** What an interrupted attempt may have written. */
  readonly leftKey: string | null;
  /** Its data is written; only the manifest may not be. */
  readonly manifest: string | null;
}

/**
 * The interrupted step if there is one, or else the next. Null: there is nothing to export.
 *
 * A step ends before the oldest transaction that is open, less some seconds: `recorded_at` is when a transaction began, and whatever
 * is committed later began later. The seconds make up for a clock that is set back, as in a failover.
 */
async function nextExport(database: Database, limits: ExportLimits): Promise<ExportStep | null> {
  return database.transaction(async (tx) => {
    const last = await lastExport(tx);
    if (last !== null && !last.is_committed) return continued(tx, last);
    const from = last?.recorded_to ?? "1970-01-01 00:00:00+00";
    // Index: observations_recorded. Locks nothing.
    const { rows } = await tx.query<{ any: boolean; full_at: string | null; before: string }>(
      `with settled as (
         select least(now(), (select min(xact_start) from pg_stat_activity where datname = current_database()))
                - $2 * interval '1 second' as before
       )
       select exists (select from observations where recorded_at >= $1::timestamptz and recorded_at < s.before) as any,
              (select case when r.recorded_at > $1::timestamptz then r.recorded_at else $1::timestamptz + interval '1 microsecond' end
                 from observations r where r.recorded_at >= $1::timestamptz and r.recorded_at < s.before
                order by r.recorded_at offset $3 limit 1)::text as full_at,
              s.before::text as before
         from settled s`,
      [from, limits.settleSeconds, limits.rowsMax],
    );
    const [next] = rows;
    if (next?.any !== true) return null;
    const to = next.full_at ?? next.before;
    const step = { number: (last?.number ?? 0) + 1, from, to, dataKey: newDataKey() };
    // Locks: only the new row.
    await tx.query(
      "insert into observation_exports (number, recorded_from, recorded_to, data_key) values ($1, $2, $3, $4)",
      [step.number, step.from, step.to, step.dataKey],
    );
    return { ...step, leftKey: null, manifest: null };
  });
}

interface LastExport {
  number: number;
  recorded_from: string;
  recorded_to: string;
  data_key: string;
  manifest: string | null;
  is_committed: boolean;
}

async function lastExport(tx: Transaction): Promise<LastExport | null> {
  // Index: the primary key.
  const { rows } = await tx.query<LastExport>(
    `select number, recorded_from::text, recorded_to::text, data_key, manifest, committed_at is not null as is_committed
       from observation_exports order by number desc limit 1`,
  );
  return rows[0] ?? null;
}

async function continued(tx: Transaction, last: LastExport): Promise<ExportStep> {
  const { number, recorded_from: from, recorded_to: to, manifest } = last;
  if (manifest !== null) return { number, from, to, dataKey: last.data_key, leftKey: null, manifest };
  const dataKey = newDataKey();
  // Locks: the row. From now on, the attempt before can no longer record its manifest.
  await tx.query("update observation_exports set data_key = $2 where number = $1", [number, dataKey]);
  return { number, from, to, dataKey, leftKey: last.data_key, manifest: null };
}

/** Fails if another attempt has taken over. */
async function recordManifest(
  database: Database,
  { number, dataKey }: ExportStep,
  { manifest, rows }: { readonly manifest: string; readonly rows: number },
): Promise<void> {
  // Locks: the row.
  const { rowCount } = await database.query(
    "update observation_exports set manifest = $3, row_count = $4 where number = $1 and data_key = $2 and manifest is null",
    [number, dataKey, manifest, rows],
  );
  if (rowCount !== 1) throw new Error(`Another process continues export ${number} of the observations.`);
}

/** Returns the number of rows of the manifest. */
async function recordCommit(database: Database, number: number): Promise<number> {
  // Locks: the row.
  const { rows } = await database.query<{ row_count: number }>(
    "update observation_exports set committed_at = coalesce(committed_at, now()) where number = $1 returning row_count",
    [number],
  );
  return rows[0]?.row_count ?? 0;
}

const newDataKey = (): string => `${exportFolder}/data/${randomUUID()}.parquet`;

interface ExportedRow {
  readonly accountId: string;
  readonly record: ObservationRecord;
}

const rowsAtOnce = 1_000;

interface Position {
  readonly at: string;
  readonly account: string;
  readonly id: string;
}

/** The observations of all accounts that were recorded in a time, oldest first. Times are text, because they have microseconds. */
async function* exportedRows(
  db: Queryable,
  { from, to }: { readonly from: string; readonly to: string },
): AsyncGenerator<ExportedRow[]> {
  let after: Position | null = null;
  for (;;) {
    // Index: observations_recorded, from the position on. Locks nothing.
    const { rows }: { rows: (ObservationRow & { account_id: string; at: string })[] } = await db.query(
      `select ${observationColumns}, o.account_id, o.recorded_at::text as at from observations o
        where o.recorded_at >= coalesce($3, $1)::timestamptz and o.recorded_at < $2::timestamptz
          and ($3::text is null or (o.recorded_at, o.account_id, o.id) > ($3::timestamptz, $4::uuid, $5::uuid))
        order by o.recorded_at, o.account_id, o.id limit ${rowsAtOnce}`,
      [from, to, ...positionValues(after)],
    );
    if (rows.length > 0) yield rows.map((row) => ({ accountId: row.account_id, record: observationRecord(row) }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return;
    after = { at: last.at, account: last.account_id, id: last.id };
  }
}

const positionValues = (after: Position | null) => [after?.at ?? null, after?.account ?? null, after?.id ?? null];
