import { createHash } from "node:crypto";
import type { Transaction } from "../../db/index.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { nestedOptions, optionDefaults } from "@querent/contract";
import canonicalize from "canonicalize";

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

// A submission in canonical form, the same for all texts with the same meaning: members in one order, numbers and characters
// written in one way (RFC 8785), no white space, and no members with default values.
//
// **Frozen: stored fingerprints depend on it.** A change would reject repeats of submissions that were accepted before it, so the
// default of a member is added together with the member, or never. Languages are compared as sent: their canonical form
// depends on the version of Unicode's data.

/** The defaults of these members. A task is the same with and without them. */
const itemDefaults: Readonly<Record<string, unknown>> = { priority: 5 };

/** More than any accepted submission contains. */
const itemsMax = 100_000;
const membersMax = 32;
const nestedItemsMax = 1_000;

/** The submission in canonical form; null if the body does not have the form of one, so that it was never accepted. */
export function canonicalSubmission(body: unknown): string | null {
  if (!Array.isArray(body) || body.length > itemsMax) return null;
  const items: unknown[] = [];
  for (const element of body) {
    const item = canonicalItem(element);
    if (item === null) return null;
    items.push(item);
  }
  return canonicalize(items) ?? null;
}

function canonicalItem(element: unknown): Record<string, unknown> | null {
  if (!isRecord(element) || !hasPlainNames(element)) return null;
  const { options, tags, ...members } = element;
  if (!Object.values(members).every(isScalar)) return null;
  const item = withoutDefaults(members, itemDefaults);
  if (isRecord(options)) {
    const flat = flatOptions(options);
    if (flat === null) return null;
    const kept = withoutDefaults(flat, optionDefaults);
    if (Object.keys(kept).length > 0) item["options"] = kept;
  } else if (options !== undefined && options !== null) return null;
  if (Array.isArray(tags)) {
    if (tags.length > membersMax || !tags.every(isScalar)) return null;
    if (tags.length > 0) item["tags"] = tags;
  } else if (tags !== undefined && tags !== null) return null;
  return item;
}

/** The options, with nested objects without empty members, and the country in upper case. Null: not the form of options. */
function flatOptions(options: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  if (!hasPlainNames(options)) return null;
  const flat: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (isScalar(value)) {
      flat[name] = name === "country" && typeof value === "string" ? value.toUpperCase() : value;
      continue;
    }
    if (!nestedOptions.includes(name) || !isRecord(value) || !hasPlainNames(value)) return null;
    if (!Object.values(value).every((member) => isScalar(member) || isListOfScalars(member))) return null;
    const kept = Object.entries(value).filter(
      ([, member]) => member !== null && !(Array.isArray(member) && member.length === 0),
    );
    if (kept.length > 0) flat[name] = Object.fromEntries(kept);
  }
  return flat;
}

const isListOfScalars = (value: unknown) =>
  Array.isArray(value) && value.length <= nestedItemsMax && value.every(isScalar);

function withoutDefaults(
  members: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(
      ([name, value]) => value !== null && !(Object.hasOwn(defaults, name) && defaults[name] === value),
    ),
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const hasPlainNames = (record: object) => {
  const names = Object.keys(record);
  return names.length <= membersMax && names.every((name) => name.isWellFormed());
};
function isScalar(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null;
}
