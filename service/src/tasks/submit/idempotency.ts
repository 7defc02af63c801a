import { createHash } from "node:crypto";
import type { Transaction } from "../../db/index.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { canonicalSubmission } from "./canonical-submission.ts";

const sha256 = (data: Buffer | string): Buffer => createHash("sha256").update(data).digest();

/**
 * The fingerprints of a body: `fingerprint`, of its canonical form, which is stored; and `fingerprintOfBytes`, of the bytes
 * themselves, which version 0.1.0 stored before there was a canonical form. If stored bytes equal a canonical form, both mean
 * the same submission.
 */
export function fingerprintsOf(
  rawBody: Buffer,
  body: unknown,
): { readonly fingerprint: Buffer; readonly fingerprintOfBytes: Buffer } {
  const canonical = canonicalSubmission(body);
  const fingerprintOfBytes = sha256(rawBody);
  return { fingerprint: canonical === null ? fingerprintOfBytes : sha256(canonical), fingerprintOfBytes };
}

export interface KeyUse {
  readonly accountId: string;
  /** The token of the submission. */
  readonly tokenId?: string;
  readonly route: string;
  readonly key: string;
  readonly fingerprint: Buffer;
  /** The trace context of the submission. */
  readonly traceParent?: string | null;
  /** An alternative fingerprint under which the same body may be stored. */
  readonly fingerprintOfBytes?: Buffer;
}

/**
 * Claims a key for the rest of the transaction. Returns the batch that it created before, null if it is new, and the time of
 * the transaction. A key in use by another transaction is refused (409), and so is one that was used for another body (422).
 */
export async function claimKey(tx: Transaction, use: KeyUse): Promise<{ earlierBatchId: string | null; now: Date }> {
  // Locks: the key, by an advisory lock until the commit, so that a second request is refused immediately instead of waiting.
  // The lookup is a separate statement, because its snapshot must be taken after the lock was granted. One round trip.
  const [{ rows: locks }, { rows }] = await Promise.all([
    tx.query<{ granted: boolean; now: Date }>(
      "select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as granted, date_trunc('milliseconds', now()) as now",
      [`${use.accountId} ${use.route} ${use.key}`],
    ),
    tx.query<{ batch_id: string; same: boolean }>({
      name: "look up key",
      text: `select batch_id, fingerprint in ($4, $5) as same from idempotency_keys where account_id = $1 and route = $2 and key = $3`,
      values: [use.accountId, use.route, use.key, use.fingerprint, use.fingerprintOfBytes ?? use.fingerprint],
    }),
  ]);
  const lock = locks[0];
  if (lock === undefined || !lock.granted) {
    throw new ProblemError(
      "idempotency_key_in_use",
      "A request with this key is being processed. Send it again in a second.",
      { headers: { "retry-after": "1" } },
    );
  }
  const known = rows[0];
  if (known === undefined) return { earlierBatchId: null, now: lock.now };
  if (!known.same) {
    throw new ProblemError(
      "idempotency_key_reused",
      "This key was used for a submission that means something else. Nothing was accepted. Use a new key for a new submission, or send the first one again as it was.",
    );
  }
  return { earlierBatchId: known.batch_id, now: lock.now };
}

export async function storeKey(tx: Transaction, use: KeyUse, batchId: string, createdAt: Date): Promise<void> {
  await tx.query({
    name: "store key",
    text: `insert into idempotency_keys (account_id, route, key, fingerprint, batch_id, created_at) values ($1, $2, $3, $4, $5, $6)`,
    values: [use.accountId, use.route, use.key, use.fingerprint, batchId, createdAt],
  });
}
