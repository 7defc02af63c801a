/**
 * The chain of an account's entries. Requests write their entries without a place in it, so that none waits for another; a moment later
 * the sealer gives them their places, and signs the last one.
 */
import { createHash, sign, type KeyObject } from "node:crypto";
import { rowsAs, type Database, type Queryable, type Transaction } from "../db/index.ts";
import { newId } from "../kernel/ids.ts";
import { installationId } from "./record.ts";

/** The columns that a digest covers, as text that does not depend on settings of the session. */
export const digestedColumns = `id, (extract(epoch from at) * 1000000)::bigint::text as micros, kind, operation, actor_kind, actor_id,
  actor_name, target_type, target_id, before, after, address, request_id`;

export interface DigestedRow {
  id: string;
  micros: string;
  kind: string;
  operation: string;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string | null;
  target_type: string | null;
  target_id: string | null;
  before: string | null;
  after: string | null;
  address: string | null;
  request_id: string | null;
}

/** The digest of an entry and of all before it. */
export function digestOf(former: Buffer, sequence: number, row: DigestedRow): Buffer {
  const { id, micros, kind, operation, actor_kind: actorKind, actor_id: actorId, actor_name: actorName } = row;
  const { target_type: targetType, target_id: targetId, before, after, address, request_id: requestId } = row;
  const entry = [
    ...[sequence, id, micros, kind, operation, actorKind, actorId, actorName],
    ...[targetType, targetId, before, after, address, requestId],
  ];
  return createHash("sha256").update(former).update(JSON.stringify(entry)).digest();
}

/** What comes before the first entry of an account: the chain of one account is none of another. */
export const originOf = (accountId: string): Buffer =>
  createHash("sha256").update(`querent audit chain ${accountId}`).digest();

export interface Head {
  readonly accountId: string;
  readonly first: number;
  readonly anchor: Buffer;
  readonly sequence: number;
  readonly digest: Buffer;
}

export const headText = ({ accountId, first, anchor, sequence, digest }: Head): Buffer =>
  Buffer.from(
    ["querent audit head 1", accountId, first, anchor.toString("hex"), sequence, digest.toString("hex")].join("\n"),
  );

/** The current key that signs evidence, whose public half is published. */
export type HeadSigner = () => Promise<{
  readonly publicKey: { readonly kid: string };
  readonly privateKey: KeyObject;
}>;

const chainsAtOnce = 100;
const entriesAtOnce = 1000;

/** Seals the entries that are not yet in a chain. Returns how many it sealed. Any process may call it at any time. */
export async function sealEntries(database: Database, signer: HeadSigner): Promise<number> {
  let sealed = 0;
  for (;;) {
    // Index: audit_entries_unsealed, which is empty most of the time.
    const { rows } = await database.query<{ account_id: string }>({
      name: "unsealed audit chains",
      text: "select distinct account_id from audit_entries where sequence is null limit $1",
      values: [chainsAtOnce],
    });
    if (rows.length === 0) return sealed;
    let progress = 0;
    for (const { account_id: accountId } of rows) progress += await sealSome(database, signer, accountId);
    sealed += progress;
    // Another process seals the rest.
    if (progress === 0) return sealed;
  }
}

interface Sealed {
  readonly id: string;
  readonly sequence: number;
  readonly digest: Buffer;
}

const sealedRows = rowsAs<Sealed>("s", {
  id: ["uuid", ({ id }) => id],
  sequence: ["bigint", ({ sequence }) => sequence],
  digest: ["bytea", ({ digest }) => digest],
});

async function sealSome(database: Database, signer: HeadSigner, accountId: string): Promise<number> {
  return database.transaction(async (tx) => {
    const head = await lockHead(tx, accountId);
    if (head === null) return 0;
    // Index: audit_entries_unsealed.
    const { rows } = await tx.query<DigestedRow>(
      `select ${digestedColumns} from audit_entries where account_id = $1 and sequence is null order by id limit $2`,
      [accountId, entriesAtOnce],
    );
    let { sequence, digest } = head;
    const sealed = rows.map((row) => {
      sequence++;
      digest = digestOf(digest, sequence, row);
      return { id: row.id, sequence, digest };
    });
    if (sealed.length === 0) return 0;
    // Locks: the rows that are sealed, which nobody else changes.
    await tx.query(
      `update audit_entries e set sequence = s.sequence, digest = s.digest
         from ${sealedRows.after(1)}
        where e.account_id = $1 and e.id = s.id and e.sequence is null`,
      [accountId, ...sealedRows.values(sealed)],
    );
    await writeHead(tx, signer, { ...head, sequence, digest });
    return sealed.length;
  });
}

interface HeadRow {
  first: number;
  anchor: Buffer;
  sequence: number;
  digest: Buffer;
}

/** Locks: the account's head. Null: another process has it, and does what there is to do. Writers of entries never wait for it. */
async function lockHead(tx: Transaction, accountId: string): Promise<Head | null> {
  const select = `select first, anchor, sequence, digest from audit_chains where account_id = $1 for update skip locked`;
  const { rows } = await tx.query<HeadRow>(select, [accountId]);
  if (rows[0] !== undefined) return { accountId, ...rows[0] };
  const origin = originOf(accountId);
  const { rowCount } = await tx.query(
    `insert into audit_chains (account_id, first, anchor, sequence, digest, kid, signature)
     values ($1, 1, $2, 0, $2, '', '') on conflict (account_id) do nothing`,
    [accountId, origin],
  );
  if (rowCount === 0) return null;
  if (accountId !== installationId) await writeChainEntry(tx, installationId, chainBegun, { targetId: accountId });
  return { accountId, first: 1, anchor: origin, sequence: 0, digest: origin };
}

/** The entry with which the installation's chain has that of an account: who removes all of the latter removes a link of the former. */
export const chainBegun = "audit chain";

/** What the service does to chains is in the log, too. */
async function writeChainEntry(
  tx: Transaction,
  accountId: string,
  operation: string,
  { targetId = null, after = null }: { targetId?: string | null; after?: object | null },
): Promise<void> {
  await tx.query(
    `insert into audit_entries (account_id, id, kind, operation, actor_kind, target_type, target_id, after)
     values ($1, $2, 'change', $3, 'system', $4, $5, $6)`,
    [
      accountId,
      newId(),
      operation,
      targetId === null ? null : "account",
      targetId,
      after === null ? null : JSON.stringify(after),
    ],
  );
}

async function writeHead(tx: Queryable, signer: HeadSigner, head: Head): Promise<void> {
  const { publicKey, privateKey } = await signer();
  await tx.query(
    `update audit_chains set first = $2, anchor = $3, sequence = $4, digest = $5, kid = $6, signature = $7, sealed_at = now()
      where account_id = $1`,
    [
      head.accountId,
      head.first,
      head.anchor,
      head.sequence,
      head.digest,
      publicKey.kid,
      sign(null, headText(head), privateKey),
    ],
  );
}

const prunedAtOnce = 5000;
const dayMs = 86_400_000;

/**
 * Deletes entries that are older than the number of days, from the beginning of each chain, once a day. What was deleted is an entry
 * itself, and the signed head says where the chain begins. Returns how many it deleted.
 */
export async function pruneEntries(database: Database, signer: HeadSigner, days: number): Promise<number> {
  const before = new Date(Date.now() - days * dayMs);
  // Index: audit_entries_chain, at the beginning of each chain.
  const { rows } = await database.query<{ account_id: string }>(
    `select c.account_id from audit_chains c join audit_entries e on e.account_id = c.account_id and e.sequence = c.first
      where e.at < $1::timestamptz - interval '1 day'`,
    [before],
  );
  let deleted = 0;
  for (const { account_id: accountId } of rows)
    for (;;) {
      const some = await pruneSome(database, signer, accountId, before);
      deleted += some;
      if (some < prunedAtOnce) break;
    }
  return deleted;
}

async function pruneSome(database: Database, signer: HeadSigner, accountId: string, before: Date): Promise<number> {
  return database.transaction(async (tx) => {
    const head = await lockHead(tx, accountId);
    if (head === null) return 0;
    // The last of the oldest entries. Index: audit_entries_chain.
    const { rows } = await tx.query<{ sequence: number; digest: Buffer }>(
      `select sequence, digest from audit_entries
        where account_id = $1 and sequence >= $2 and sequence < $2 + $4 and at < $3 order by sequence desc limit 1`,
      [accountId, head.first, before, prunedAtOnce],
    );
    const [last] = rows;
    if (last === undefined) return 0;
    const { rowCount } = await tx.query("delete from audit_entries where account_id = $1 and sequence <= $2", [
      accountId,
      last.sequence,
    ]);
    await writeHead(tx, signer, { ...head, first: last.sequence + 1, anchor: last.digest });
    await writeChainEntry(tx, accountId, "audit retention", { after: { deletedThroughSequence: last.sequence } });
    return rowCount ?? 0;
  });
}
