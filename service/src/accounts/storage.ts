/** What each account stores as it is shown, and the quota for what costs no points. */
import {
  storageKindNames,
  type AccountStorage,
  type StorageKind,
  type StorageQuotaChange,
  type StorageUse,
} from "@querent/contract";
import type { Queryable } from "../db/index.ts";
import { ProblemError } from "../api/problem-error.ts";
import { isLimited, limitedKinds } from "./storage-kinds.ts";

/** The service's settings, for accounts without a quota of their own. */
export interface StorageQuota {
  readonly rows: number;
  readonly bytes: number;
  readonly artifactBytes: number;
}

interface CountRow {
  kind: StorageKind;
  row_count: number;
  bytes: number;
  measured_at: Date | null;
  rows_max: number | null;
  bytes_max: number | null;
  artifacts_max: number | null;
}

/** What an account stores, and its quota. */
export async function readStored(db: Queryable, accountId: string, settings: StorageQuota): Promise<StorageUse> {
  // Index: the primary keys. A count is below zero for a moment if a deletion is measured beside what it had not yet counted.
  const { rows } = await db.query<CountRow>({
    name: "read stored",
    text: `select s.kind, greatest(s.row_count, 0) as row_count, greatest(s.bytes, 0) as bytes, s.measured_at,
                  a.storage_rows_max as rows_max, a.storage_bytes_max as bytes_max, a.artifact_bytes_max as artifacts_max
             from accounts a left join account_storage s on s.account_id = a.id where a.id = $1`,
    values: [accountId],
  });
  const counts = new Map(rows.map((row) => [row.kind, row]));
  const kinds = storageKindNames.map((kind) => {
    const count = counts.get(kind);
    return {
      kind,
      rows: count?.row_count ?? 0,
      bytes: count?.bytes ?? 0,
      limited: isLimited(kind),
      measuredAt: count?.measured_at?.toISOString() ?? null,
    };
  });
  const limited = kinds.filter((kind) => kind.limited);
  const [own] = rows;
  return {
    rows: { held: sum(limited.map((kind) => kind.rows)), quota: own?.rows_max ?? settings.rows },
    bytes: { held: sum(limited.map((kind) => kind.bytes)), quota: own?.bytes_max ?? settings.bytes },
    artifactBytes: {
      held: kinds.find(({ kind }) => kind === "artifacts")?.bytes ?? 0,
      quota: own?.artifacts_max ?? settings.artifactBytes,
    },
    kinds,
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/**
 * Refuses a request that would store more than the account may, of `bytes` more. For tasks, only what grows although no task is charged
 * counts: what was imported never stands in the way of a question that is paid for.
 */
export async function requireRoom(
  db: Queryable,
  accountId: string,
  { stores, bytes }: { readonly stores: "free" | "tasks"; readonly bytes: number },
  settings: StorageQuota,
): Promise<void> {
  const use = await readStored(db, accountId, settings);
  const uncharged = use.kinds.find(({ kind }) => kind === "uncharged_tasks");
  const [rowsHeld, bytesHeld] =
    stores === "free" ? [use.rows.held, use.bytes.held + bytes] : [uncharged?.rows ?? 0, uncharged?.bytes ?? 0];
  const what = stores === "free" ? "without points" : "of tasks that failed or were canceled";
  if (rowsHeld >= use.rows.quota)
    throw full(`The account stores ${rowsHeld} rows ${what}, and may store ${use.rows.quota}.`);
  if (bytesHeld > use.bytes.quota || use.bytes.quota === 0)
    throw full(
      `The account stores ${bytesHeld - (stores === "free" ? bytes : 0)} bytes ${what}, and may store ${use.bytes.quota}${stores === "free" && bytes > 0 ? `; this request has ${bytes}` : ""}.`,
    );
  if (stores === "tasks" && use.artifactBytes.held >= use.artifactBytes.quota)
    throw full(
      `The files of the account's results hold ${use.artifactBytes.held} bytes, and may hold ${use.artifactBytes.quota}. They are deleted when the results expire.`,
    );
}

const full = (detail: string) =>
  new ProblemError(
    "storage_quota_exceeded",
    `${detail} Nothing was stored. \`GET /v1/usage\` shows what the account stores. Delete some of it, or ask the operator for a larger quota.`,
  );

/** Sets the account's own quota: null returns to the service's settings, and an absent member is left unchanged. */
export async function setStorageQuota(db: Queryable, accountId: string, change: StorageQuotaChange): Promise<void> {
  const { storageRowsMax, storageBytesMax, artifactBytesMax } = change;
  const { rowCount } = await db.query(
    `update accounts set storage_rows_max = case when $2 then $3::bigint else storage_rows_max end,
                         storage_bytes_max = case when $4 then $5::bigint else storage_bytes_max end,
                         artifact_bytes_max = case when $6 then $7::bigint else artifact_bytes_max end
      where id = $1`,
    [
      accountId,
      ...[storageRowsMax, storageBytesMax, artifactBytesMax].flatMap((value) => [value !== undefined, value ?? null]),
    ],
  );
  if (rowCount === 0) throw new ProblemError("not_found", "There is no such account.");
}

/** SQL: the columns of an `AccountStorage`, beside `accounts a` and this lateral join. */
export const storageColumns = `s.storage_rows, s.storage_bytes, s.artifact_bytes, s.total_bytes,
  a.storage_rows_max, a.storage_bytes_max, a.artifact_bytes_max`;
const limitedList = limitedKinds.map((kind) => `'${kind}'`).join(", ");
// `uncharged_tasks` are among `tasks`.
export const storageSums = `lateral (
  select coalesce(sum(greatest(row_count, 0)) filter (where kind in (${limitedList})), 0)::bigint as storage_rows,
         coalesce(sum(greatest(bytes, 0)) filter (where kind in (${limitedList})), 0)::bigint as storage_bytes,
         coalesce(sum(greatest(bytes, 0)) filter (where kind = 'artifacts'), 0)::bigint as artifact_bytes,
         coalesce(sum(greatest(bytes, 0)) filter (where kind <> 'uncharged_tasks'), 0)::bigint as total_bytes
    from account_storage where account_id = a.id) s`;

export interface StorageColumns {
  storage_rows: number;
  storage_bytes: number;
  artifact_bytes: number;
  total_bytes: number;
  storage_rows_max: number | null;
  storage_bytes_max: number | null;
  artifact_bytes_max: number | null;
}

export const accountStorage = (row: StorageColumns): AccountStorage => ({
  rows: row.storage_rows,
  bytes: row.storage_bytes,
  artifactBytes: row.artifact_bytes,
  totalBytes: row.total_bytes,
  storageRowsMax: row.storage_rows_max,
  storageBytesMax: row.storage_bytes_max,
  artifactBytesMax: row.artifact_bytes_max,
});

/** For metrics: the sizes of each kind over all accounts, and of the account that stores the most without points. */
export async function measureAccountStorage(db: Queryable): Promise<{
  readonly kinds: readonly { readonly kind: StorageKind; readonly rows: number; readonly bytes: number }[];
  readonly accountBytesMax: number;
}> {
  // Reads a row for each account and kind. Locks nothing.
  const { rows } = await db.query<{ kind: StorageKind | null; rows: number; bytes: number }>(
    `select kind, sum(greatest(row_count, 0))::bigint as rows, sum(greatest(bytes, 0))::bigint as bytes from account_storage group by kind
     union all
     select null, 0, coalesce(max(bytes), 0)::bigint from (
       select sum(greatest(bytes, 0)) as bytes from account_storage where kind in (${limitedList}) group by account_id) accounts`,
  );
  return {
    kinds: rows.flatMap(({ kind, ...figures }) => (kind === null ? [] : [{ kind, ...figures }])),
    accountBytesMax: rows.find(({ kind }) => kind === null)?.bytes ?? 0,
  };
}
