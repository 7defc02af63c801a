/**
 * What each account stores, and the quota for what costs no points.
 *
 * Invariant: what a request stores without points is counted in its own transaction, with the expressions that also measure it. So a count
 * is above the rows by what was deleted or has expired since it was measured, and below them only by runs and seals of panels.
 */
import {
  storageKindNames,
  storageKinds,
  type AccountStorage,
  type StorageKind,
  type StorageQuotaChange,
  type StorageUse,
} from "@querent/contract";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Queryable, Transaction } from "../db/index.ts";
import { ProblemError } from "../api/problem-error.ts";

/** The service's settings, for accounts without a quota of their own. */
export interface StorageQuota {
  readonly rows: number;
  readonly bytes: number;
  readonly artifactBytes: number;
}

/** Rows of one table, as `t`, that belong to a kind. */
interface Part {
  readonly from: string;
  readonly where?: string;
  /** The size of a row: its long columns as they are stored, and a constant for the others. */
  readonly bytes: string;
  /** Selects the rows that a statement has just stored, by the values from $2 on. None: they are found by measuring. */
  readonly added?: string;
}

const observationBytes =
  "(300 + pg_column_size(t.sources) + pg_column_size(t.mentions) + pg_column_size(t.cards) + pg_column_size(t.domains) + pg_column_size(t.tags) + coalesce(pg_column_size(t.cited_sites), 0))";

// pg_column_size and octet_length of a long value that is stored apart read its size, and not the value.
const parts: Readonly<Record<StorageKind, readonly Part[]>> = {
  imports: [
    {
      from: "observations t",
      where: "t.import_id is not null",
      bytes: observationBytes,
      added: "t.id = any($2::uuid[])",
    },
    {
      from: "imported_answers t",
      bytes: "(100 + pg_column_size(t.question) + pg_column_size(t.content))",
      added: "t.observation_id = any($2::uuid[])",
    },
    { from: "imports t", bytes: "(100 + octet_length(t.name))", added: "t.id = $3::uuid" },
  ],
  panels: [
    {
      from: "panel_revisions t",
      bytes: "(100 + pg_column_size(t.content))",
      added: "t.panel_id = $2::uuid and t.revision = $3::int",
    },
    { from: "panel_runs t", bytes: "(200 + pg_column_size(t.batch_ids) + coalesce(pg_column_size(t.problem), 0))" },
    { from: "panel_seals t", bytes: "(100 + octet_length(t.seal) + octet_length(t.signature))" },
  ],
  entities: [
    {
      from: "entity_revisions t",
      bytes: "(100 + pg_column_size(t.content))",
      added: "(t.entity_id, t.revision) in (select * from unnest($2::uuid[], $3::int[]))",
    },
  ],
  reports: [{ from: "report_shares t", bytes: "(100 + pg_column_size(t.page))", added: "t.id = $2::uuid" }],
  uncharged_tasks: [
    {
      // With what else is kept of such a task: its queue, its entries of the ledger, its delivery.
      from: "unanswered_tasks t join tasks q on q.account_id = t.account_id and q.id = t.task_id",
      bytes: "(1000 + pg_column_size(q.question) + pg_column_size(q.tags))",
      added: "t.task_id = any($2::uuid[])",
    },
  ],
  // A file that several results share counts for each of them.
  artifacts: [{ from: "artifacts t", bytes: "t.bytes::bigint" }],
  tasks: [{ from: "tasks t", bytes: "(300 + pg_column_size(t.question) + pg_column_size(t.tags))" }],
  results: [
    {
      from: "task_results t",
      bytes:
        "(100 + pg_column_size(t.result) + coalesce(pg_column_size(t.raw_body), 0) + coalesce(pg_column_size(t.raw_compressed), 0))",
    },
  ],
  observations: [{ from: "observations t", where: "t.import_id is null", bytes: observationBytes }],
  deliveries: [
    {
      from: "deliveries t",
      bytes: "(200 + coalesce(pg_column_size(t.body), 0) + pg_column_size(t.attempt_log))",
    },
  ],
};

const isLimited = (kind: StorageKind) => storageKinds[kind].bound === "quota";
const limitedKinds = storageKindNames.filter(isLimited);
const measuredKinds = storageKindNames.filter((kind) => !isLimited(kind));

/** SQL: the rows of a kind with their sizes, of the account $1; only those just stored, or all. */
const rowsOf = (kind: StorageKind, isAdded: boolean) =>
  parts[kind]
    .filter(({ added }) => !isAdded || added !== undefined)
    .map(({ from, where = "true", bytes, added }) => {
      const which = isAdded ? added : "true";
      return `select ${bytes} as bytes from ${from} where t.account_id = $1 and ${where} and ${which}`;
    })
    .join(" union all ");

/** Counts what the caller's transaction has stored. */
export async function countStored(
  tx: Transaction,
  { accountId, kind }: { readonly accountId: string; readonly kind: StorageKind },
  ...added: readonly unknown[]
): Promise<void> {
  // Locks: the account's row of the kind, until the commit: so this is the last statement of its transaction, or stands behind the lock of the
  // account. Index: the primary keys.
  await tx.query({
    name: `count stored ${kind}`,
    text: `insert into account_storage as s (account_id, kind, row_count, bytes)
           select $1, '${kind}', count(*), coalesce(sum(bytes), 0)::bigint from (${rowsOf(kind, true)}) added having count(*) > 0
           on conflict (account_id, kind) do update
             set row_count = s.row_count + excluded.row_count, bytes = s.bytes + excluded.bytes`,
    values: [accountId, ...added],
  });
}

/** Rows that no statement had counted: of a kind that is counted completely, a sign of a defect, or of older code beside this one. */
export interface Uncounted {
  readonly accountId: string;
  readonly kind: StorageKind;
  readonly rows: number;
}

/**
 * Compares the counts of one account with its rows, and corrects them: after a deletion, and regularly. Each kind is measured by one
 * statement, whose snapshot has both, so what is stored meanwhile is neither lost nor counted twice.
 */
export async function measureStored(
  db: Queryable,
  accountId: string,
  kinds: readonly StorageKind[] = limitedKinds,
): Promise<Uncounted[]> {
  const uncounted: Uncounted[] = [];
  for (const kind of kinds) {
    // Locks: the account's row of the kind. Index: the primary keys, all of which begin with the account.
    const { rows } = await db.query<{ row_count: number; measured_at: Date | null }>({
      name: `measure stored ${kind}`,
      text: `with measured as (
               select count(*) as row_count, coalesce(sum(bytes), 0)::bigint as bytes from (${rowsOf(kind, false)}) rows
             ), difference as (
               select m.row_count - coalesce(c.row_count, 0) as row_count, m.bytes - coalesce(c.bytes, 0) as bytes, c.measured_at
                 from measured m left join account_storage c on c.account_id = $1 and c.kind = '${kind}'
                where m.row_count > 0 or c.kind is not null
             ), corrected as (
               insert into account_storage as s (account_id, kind, row_count, bytes, measured_at)
               select $1, '${kind}', row_count, bytes, now() from difference
               on conflict (account_id, kind) do update
                 set row_count = s.row_count + excluded.row_count, bytes = s.bytes + excluded.bytes,
                     measured_at = excluded.measured_at
             )
             select row_count, measured_at from difference where row_count > 0`,
      values: [accountId],
    });
    const isCounted = parts[kind].every(({ added }) => added !== undefined);
    for (const { row_count: count, measured_at: measuredAt } of rows)
      if (isCounted && measuredAt !== null) uncounted.push({ accountId, kind, rows: count });
  }
  return uncounted;
}

/** After each statement follows a pause of this many times its duration: measuring takes a twentieth of one connection. */
const pauses = 19;
const pauseMsMax = 60_000;

/** Corrects the counts of all accounts, and measures what is only told. */
export async function measureAllStored(database: Database, signal: AbortSignal): Promise<Uncounted[]> {
  const uncounted: Uncounted[] = [];
  const { rows } = await database.query<{ id: string }>("select id from accounts order by id");
  const step = async (work: () => Promise<void>) => {
    if (signal.aborted) return;
    const startedAt = performance.now();
    await work();
    const pauseMs = Math.min(pauseMsMax, (performance.now() - startedAt) * pauses);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  };
  for (const { id } of rows)
    await step(async () => {
      uncounted.push(...(await measureStored(database, id)));
    });
  for (const kind of measuredKinds) {
    const sums = new Map<string, { rows: number; bytes: number }>();
    for (const { from, where = "true", bytes } of parts[kind])
      for (const partition of await partitionsOf(database, from))
        await step(async () => {
          // Reads one partition. Locks nothing.
          const { rows: accounts } = await database.query<{ id: string; row_count: number; bytes: number }>(
            `select t.account_id as id, count(*) as row_count, sum(${bytes})::bigint as bytes from ${partition} t
              where ${where} group by 1`,
          );
          for (const account of accounts) {
            const sum = sums.get(account.id) ?? { rows: 0, bytes: 0 };
            sums.set(account.id, { rows: sum.rows + account.row_count, bytes: sum.bytes + account.bytes });
          }
        });
    if (!signal.aborted) await writeMeasured(database, kind, sums);
  }
  return uncounted;
}

/** True if no process has measured since. */
export async function isMeasuringDue(database: Database, everyMs: number): Promise<boolean> {
  // Index: the primary key; reads a row for each account and kind. Locks nothing.
  const { rows } = await database.query<{ due: boolean }>(
    `select not exists (select from account_storage where kind = any($1) and measured_at > now() - $2 * interval '1 millisecond') as due`,
    [measuredKinds, everyMs],
  );
  return rows[0]?.due === true;
}

async function partitionsOf(database: Database, from: string): Promise<string[]> {
  const table = from.split(" ", 1)[0] ?? from;
  const { rows } = await database.query<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by inhrelid",
    [table],
  );
  return rows.length === 0 ? [table] : rows.map(({ name }) => name);
}

async function writeMeasured(
  database: Database,
  kind: StorageKind,
  sums: ReadonlyMap<string, { readonly rows: number; readonly bytes: number }>,
): Promise<void> {
  const values = [...sums.values()];
  // Locks: the rows of the kind, in the order of the accounts. Accounts that hold nothing any more have a row with zeros.
  await database.query(
    `with measured as (
       select a.id, coalesce(m.row_count, 0) as row_count, coalesce(m.bytes, 0) as bytes
         from accounts a left join unnest($2::uuid[], $3::bigint[], $4::bigint[]) as m(id, row_count, bytes) on m.id = a.id
        where m.id is not null or exists (select from account_storage s where s.account_id = a.id and s.kind = $1)
     )
     insert into account_storage (account_id, kind, row_count, bytes, measured_at)
     select id, $1, row_count, bytes, now() from measured order by id
     on conflict (account_id, kind) do update
       set row_count = excluded.row_count, bytes = excluded.bytes, measured_at = excluded.measured_at`,
    [kind, [...sums.keys()], values.map(({ rows }) => rows), values.map(({ bytes }) => bytes)],
  );
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

/** Sets the account's own quota. Null: the service's settings; absent: unchanged. */
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
