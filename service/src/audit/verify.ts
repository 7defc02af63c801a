/** Whether the chains of the audit log are whole: nothing in them was altered, removed or inserted. */
import { createPublicKey, verify as verifySignature } from "node:crypto";
import type { Database, Queryable } from "../db/index.ts";
import { chainBegun, digestedColumns, digestOf, headText, type DigestedRow, type Head } from "./chain.ts";
import { installationId } from "./record.ts";

export interface ChainVerdict {
  readonly accountId: string;
  /** Of the entries that are kept. */
  readonly entries: number;
  /** Entries that are written and not in the chain yet. */
  readonly unsealed: number;
  readonly head: { readonly sequence: number; readonly digest: string } | null;
  /** What is wrong, in sentences. Empty: the chain is whole. */
  readonly faults: readonly string[];
}

/** The accounts with a chain, or with entries of one whose head somebody has removed. */
export async function readChains(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ account_id: string }>(
    `select account_id from audit_chains
     union select account_id from audit_entries where sequence is not null order by 1`,
  );
  return rows.map(({ account_id: id }) => id);
}

interface SignedHead extends Head {
  readonly kid: string;
  readonly signature: Buffer;
}

async function readHead(db: Queryable, accountId: string): Promise<SignedHead | null> {
  const { rows } = await db.query<Omit<SignedHead, "accountId">>(
    "select first, anchor, sequence, digest, kid, signature from audit_chains where account_id = $1",
    [accountId],
  );
  return rows[0] === undefined ? null : { accountId, ...rows[0] };
}

/** A published key, as `/.well-known/querent-evidence-keys` has it. */
export interface PublishedKey {
  readonly kid: string;
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
}

const rowsAtOnce = 5000;
const faultsMax = 20;

/**
 * Follows a chain from its first kept entry to its head, both as they are at one moment. `expected`: a head that was noted before, which
 * has to be in it.
 */
export function verifyChain(
  database: Database,
  accountId: string,
  keys: readonly PublishedKey[],
  expected: { readonly sequence: number; readonly digest: string } | null = null,
): Promise<ChainVerdict> {
  return database.transaction((tx) => follow(tx, accountId, keys, expected), {
    settings: { transaction_isolation: "'repeatable read'" },
  });
}

async function follow(
  db: Queryable,
  accountId: string,
  keys: readonly PublishedKey[],
  expected: { readonly sequence: number; readonly digest: string } | null,
): Promise<ChainVerdict> {
  // Index: audit_entries_unsealed.
  const { rows: unsealed } = await db.query<{ count: number }>(
    "select count(*)::int as count from audit_entries where account_id = $1 and sequence is null",
    [accountId],
  );
  const verdict = { accountId, unsealed: unsealed[0]?.count ?? 0 };
  const head = await readHead(db, accountId);
  if (head === null) {
    const chains = await readChains(db);
    const wasBegun = accountId === installationId ? chains.length > 0 : await isBegun(db, accountId);
    const faults = chains.includes(accountId)
      ? ["The head of the chain is missing."]
      : wasBegun
        ? ["The whole chain is missing."]
        : [];
    return { ...verdict, entries: 0, head: null, faults };
  }
  const faults: string[] = [];
  if (!isSigned(head, keys)) faults.push("The head is not signed with a key of this installation: it was altered.");
  let { anchor: digest } = head;
  let sequence = head.first - 1;
  let entries = 0;
  let isExpectedFound =
    expected === null || (expected.sequence === sequence && expected.digest === digest.toString("hex"));
  for (let isMore = true; isMore && faults.length < faultsMax;) {
    // Index: audit_entries_chain.
    const { rows } = await db.query<DigestedRow & { sequence: number; digest: Buffer }>(
      `select sequence, digest, ${digestedColumns} from audit_entries
        where account_id = $1 and sequence > $2 order by sequence limit $3`,
      [accountId, sequence, rowsAtOnce],
    );
    for (const row of rows) {
      if (row.sequence > head.sequence) {
        faults.push(`Entry ${row.sequence} is behind the head, which ends with ${head.sequence}: it was inserted.`);
        break;
      }
      if (row.sequence !== sequence + 1)
        faults.push(
          row.sequence === sequence + 2
            ? `Entry ${sequence + 1} is missing.`
            : `Entries ${sequence + 1} to ${row.sequence - 1} are missing.`,
        );
      const computed = digestOf(digest, row.sequence, row);
      // After a gap, the digest cannot be computed from what is there: only that of the next entry can.
      if (row.sequence === sequence + 1 && !computed.equals(row.digest))
        faults.push(`Entry ${row.sequence}, of ${new Date(Number(row.micros) / 1000).toISOString()}, was altered.`);
      digest = row.digest;
      sequence = row.sequence;
      entries++;
      if (expected?.sequence === sequence) isExpectedFound = expected.digest === digest.toString("hex");
      if (faults.length >= faultsMax) break;
    }
    isMore = rows.length === rowsAtOnce && sequence <= head.sequence;
  }
  if (faults.length < faultsMax) {
    if (sequence < head.sequence)
      faults.push(`The end is cut off: entries ${sequence + 1} to ${head.sequence} are missing.`);
    else if (sequence === head.sequence && !digest.equals(head.digest))
      faults.push("The last entry is not the one that the head names.");
    if (!isExpectedFound && expected !== null)
      faults.push(`The chain does not contain entry ${expected.sequence} with the digest that was noted.`);
  }
  return {
    ...verdict,
    entries,
    head: { sequence: head.sequence, digest: head.digest.toString("hex") },
    faults,
  };
}

/** Whether the installation's chain says that there is one of the account. */
async function isBegun(db: Queryable, accountId: string): Promise<boolean> {
  // Index: the primary key; reads the installation's entries.
  const { rows } = await db.query<{ begun: boolean }>(
    "select exists (select from audit_entries where account_id = $1 and operation = $2 and target_id = $3) as begun",
    [installationId, chainBegun, accountId],
  );
  return rows[0]?.begun === true;
}

function isSigned(head: SignedHead, keys: readonly PublishedKey[]): boolean {
  const key = keys.find(({ kid }) => kid === head.kid);
  if (key === undefined) return false;
  const { kty, crv, x } = key;
  return verifySignature(
    null,
    headText(head),
    createPublicKey({ key: { kty, crv, x }, format: "jwk" }),
    head.signature,
  );
}
