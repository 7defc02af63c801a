/** Reading the audit log: pages for views, and streams of sealed entries. */
import type { AuditEntry } from "@querent/contract";
import { scanPage } from "../api/scan-page.ts";
import type { Queryable } from "../db/index.ts";

export interface AuditFilter {
  readonly kind?: string | undefined;
  readonly operation?: string | undefined;
  readonly actorId?: string | undefined;
  readonly targetId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface EntryRow {
  account_id: string;
  id: string;
  at: Date;
  kind: AuditEntry["kind"];
  operation: string;
  actor_kind: AuditEntry["actor"]["kind"];
  actor_id: string | null;
  actor_name: string | null;
  target_type: string | null;
  target_id: string | null;
  before: string | null;
  after: string | null;
  address: string | null;
  request_id: string | null;
  sequence: number | null;
  digest: Buffer | null;
}

const columns = `e.account_id, e.id, e.at, e.kind, e.operation, e.actor_kind, e.actor_id, e.actor_name, e.target_type, e.target_id,
  e.before, e.after, e.address, e.request_id, e.sequence, e.digest`;

/** SQL: the filters, of which the first parameter is $1. */
const matches = `($1::text is null or e.kind = $1) and ($2::text is null or e.operation = $2)
  and ($3::uuid is null or e.actor_id = $3) and ($4::text is null or e.target_id = $4)
  and ($5::timestamptz is null or e.at >= $5) and ($6::timestamptz is null or e.at < $6)`;

const filterValues = ({ kind, operation, actorId, targetId, from, to }: AuditFilter) => [
  kind ?? null,
  operation ?? null,
  actorId ?? null,
  targetId ?? null,
  from ?? null,
  to ?? null,
];

/** A page, newest first. */
export async function listEntries(
  db: Queryable,
  accountId: string,
  filter: AuditFilter,
  page: { readonly beforeId: string | null; readonly limit: number },
): Promise<{ entries: AuditEntry[]; nextId: string | null }> {
  const isWhole = filterValues(filter).every((value) => value === null);
  const { rows, next } = await scanPage<EntryRow, string>(
    { before: page.beforeId, limit: page.limit, isWhole },
    (row) => row.id,
    async ({ before, rowsMax, wanted }) => {
      // Index: the primary key, backwards. The filters are applied to the scanned rows.
      const { rows: scanned } = await db.query<EntryRow & { last: string | null }>(
        `with scanned as (
           select * from audit_entries where account_id = $7 and ($8::uuid is null or id < $8) order by id desc limit $9
         ), bound as (
           select case when count(*) = $9 then (select id from scanned order by id limit 1) end as last from scanned
         )
         select ${columns}, bound.last from bound
           left join lateral (select * from scanned e where ${matches} order by e.id desc limit $10) e on true`,
        [...filterValues(filter), accountId, before, rowsMax, wanted],
      );
      const last = scanned[0]?.last ?? null;
      return { rows: scanned.filter(({ id }) => id !== null), last };
    },
  );
  return { entries: rows.map(entryOf), nextId: next };
}

const rowsAtOnce = 500;

/** All sealed entries that the filters select after a place in the chain, oldest first. */
export async function* sealedEntries(
  db: Queryable,
  accountId: string,
  filter: AuditFilter,
  after = 0,
): AsyncGenerator<AuditEntry[]> {
  for (let place = after; ;) {
    // Index: audit_entries_chain. The filters are applied to the scanned rows.
    const { rows } = await db.query<EntryRow & { place: number; selected: boolean }>(
      `select ${columns}, e.sequence as place, ${matches} as selected from audit_entries e
        where e.account_id = $7 and e.sequence > $8 order by e.sequence limit $9`,
      [...filterValues(filter), accountId, place, rowsAtOnce],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    place = last.place;
    const selected = rows.filter(({ selected: isSelected }) => isSelected);
    if (selected.length > 0) yield selected.map(entryOf);
  }
}

function entryOf(row: EntryRow): AuditEntry {
  return {
    entryId: row.id,
    accountId: row.account_id,
    at: row.at.toISOString(),
    kind: row.kind,
    operation: row.operation,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    target: row.target_type === null || row.target_id === null ? null : { type: row.target_type, id: row.target_id },
    before: settingsOf(row.before),
    after: settingsOf(row.after),
    address: row.address,
    requestId: row.request_id,
    sequence: row.sequence,
    digest: row.digest?.toString("hex") ?? null,
  };
}

function settingsOf(text: string | null): Record<string, unknown> | null {
  if (text === null) return null;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Somebody altered it in the database, which `querentd audit verify` reports. The rest of the log can be read all the same.
    return { unreadable: text };
  }
}
