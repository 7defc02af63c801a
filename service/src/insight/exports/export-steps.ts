import { randomUUID } from "node:crypto";
import type { Database, Transaction } from "../../db/index.ts";

/** The start of the keys in the bucket. */
export const exportFolder = "exports/observations";

export interface ExportLimits {
  /** The maximum of rows of a file, which is made in memory. */
  readonly rowsMax: number;
  /** Rows that are younger are left for the next export: see `nextExport`. */
  readonly settleSeconds: number;
}

/** One manifest, to be written or continued. */
export interface ExportStep {
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
export async function nextExport(database: Database, limits: ExportLimits): Promise<ExportStep | null> {
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
export async function recordManifest(
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
export async function recordCommit(database: Database, number: number): Promise<number> {
  // Locks: the row.
  const { rows } = await database.query<{ row_count: number }>(
    "update observation_exports set committed_at = coalesce(committed_at, now()) where number = $1 returning row_count",
    [number],
  );
  return rows[0]?.row_count ?? 0;
}

const newDataKey = (): string => `${exportFolder}/data/${randomUUID()}.parquet`;
