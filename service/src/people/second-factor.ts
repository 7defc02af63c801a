/** The second factor of a person who signs in with a password: codes by time (RFC 6238), and recovery codes. */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { ProblemError } from "../api/problem-error.ts";
import type { Database, Queryable, Transaction } from "../db/index.ts";
import { noteAudit } from "../runtime/audited.ts";
import { headOf, type MasterKey, type SealedTable } from "../vault/index.ts";
import { endLogins, hasCodes } from "./login.ts";

export type SecondFactor = "totp" | "recovery code";

/** What authenticator apps assume: SHA-1, six digits, and half a minute. */
const stepSeconds = 30;
const digits = 6;
/** A clock may be off by a step. */
const stepsOff = 1;
const secretBytes = 20;
const recoveryCodesMade = 10;
/** 80 random bits: SHA-256 is sufficient, as for the secret of a login. */
const recoveryBytes = 10;

/** The code of a step of time, counted from 1970. */
export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** Apps show "123 456". */
const withoutSpaces = (code: string) => code.replaceAll(/\s/g, "");

const stepNow = () => Math.floor(Date.now() / 1000 / stepSeconds);

/** Whether the person has a second factor, and how many recovery codes are left. */
export async function readFactor(
  db: Queryable,
  personId: string,
): Promise<{ readonly isOn: boolean; readonly recoveryCodes: number }> {
  const { rows } = await db.query<{ is_on: boolean; codes: number }>(
    `select ${hasCodes("$1")} as is_on,
            (select count(*)::int from recovery_codes where person_id = $1) as codes`,
    [personId],
  );
  return { isOn: rows[0]?.is_on === true, recoveryCodes: rows[0]?.codes ?? 0 };
}

/** Makes a secret, which counts once a code of it was entered. Returns it as apps take it, by hand and as a picture. */
export async function beginFactor(
  tx: Transaction,
  masterKey: MasterKey,
  { personId, email }: { readonly personId: string; readonly email: string },
): Promise<{ secret: string; address: string }> {
  const secret = randomBytes(secretBytes);
  const { rowCount } = await tx.query(
    `insert into person_factors (person_id, sealed) values ($1, $2)
     on conflict (person_id) do update set sealed = excluded.sealed, created_at = now()
      where person_factors.confirmed_at is null`,
    [personId, masterKey.seal(secret.toString("base64"), sealNameOf(personId))],
  );
  if (rowCount === 0)
    throw new ProblemError("state_conflict", "The person has a second factor already. Remove it first.");
  noteAudit({ target: { type: "person", id: personId }, after: { secondFactor: "begun" } });
  const text = base32(secret);
  const label = encodeURIComponent(`Querent:${email}`);
  return { secret: text, address: `otpauth://totp/${label}?secret=${text}&issuer=Querent` };
}

/** From now on, the person signs in with a code, too. Ends the person's other logins, and returns the recovery codes. */
export async function confirmFactor(
  database: Database,
  masterKey: MasterKey,
  { personId, loginId, code }: { readonly personId: string; readonly loginId: string; readonly code: string },
): Promise<string[]> {
  const step = await stepOf(database, masterKey, { personId, code: withoutSpaces(code), isConfirmed: false });
  if (step === null) throw wrongCode();
  const codes = Array.from({ length: recoveryCodesMade }, () => grouped(base32(randomBytes(recoveryBytes))));
  await database.transaction(async (tx) => {
    const { rowCount } = await tx.query(
      "update person_factors set confirmed_at = now(), last_step = $2 where person_id = $1 and confirmed_at is null",
      [personId, step],
    );
    if (rowCount === 0) throw wrongCode();
    await tx.query("delete from recovery_codes where person_id = $1", [personId]);
    await tx.query(
      "insert into recovery_codes (person_id, sha256) select $1, decode(hex, 'hex') from unnest($2::text[]) hex",
      [personId, codes.map((each) => recoveryHash(each).toString("hex"))],
    );
    await endLogins(tx, { personId, except: loginId });
    noteAudit({ target: { type: "person", id: personId }, after: { secondFactor: "on" } });
  });
  return codes;
}

/**
 * Uses a code up. Null: it is wrong, or was used before, in whatever process. A recovery code is deleted; of codes by time, none that is as
 * old as one that was accepted is accepted again.
 */
export async function useCode(
  db: Queryable,
  masterKey: MasterKey,
  { personId, code }: { readonly personId: string; readonly code: string },
): Promise<SecondFactor | null> {
  const typed = withoutSpaces(code);
  if (/^\d{6}$/.test(typed)) {
    const step = await stepOf(db, masterKey, { personId, code: typed, isConfirmed: true });
    if (step === null) return null;
    // Locks: the row. Of two requests with the same code, one changes it.
    const { rowCount } = await db.query(
      "update person_factors set last_step = $2 where person_id = $1 and (last_step is null or last_step < $2)",
      [personId, step],
    );
    return rowCount === 1 ? "totp" : null;
  }
  const { rowCount } = await db.query("delete from recovery_codes where person_id = $1 and sha256 = $2", [
    personId,
    recoveryHash(code),
  ]);
  return rowCount === 1 ? "recovery code" : null;
}

/** Removes the second factor with its recovery codes. False: there was none. */
export async function removeFactor(tx: Transaction, personId: string): Promise<boolean> {
  await tx.query("delete from recovery_codes where person_id = $1", [personId]);
  const { rowCount } = await tx.query("delete from person_factors where person_id = $1", [personId]);
  noteAudit({ target: { type: "person", id: personId }, after: { secondFactor: "off" } });
  return rowCount === 1;
}

export const wrongCode = () => new ProblemError("sign_in_refused", "The code is wrong, or was used before.");

/** The step of time to which a code belongs; null if it belongs to none that counts now. */
async function stepOf(
  db: Queryable,
  masterKey: MasterKey,
  { personId, code, isConfirmed }: { readonly personId: string; readonly code: string; readonly isConfirmed: boolean },
): Promise<number | null> {
  const { rows } = await db.query<{ sealed: Buffer }>(
    "select sealed from person_factors where person_id = $1 and (confirmed_at is not null) = $2",
    [personId, isConfirmed],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const secret = Buffer.from(masterKey.open(row.sealed, sealNameOf(personId)), "base64");
  const now = stepNow();
  for (let step = now - stepsOff; step <= now + stepsOff; step++) if (codeOf(secret, step) === code) return step;
  return null;
}

const recoveryHash = (code: string) =>
  createHash("sha256")
    .update(code.toUpperCase().replace(/[^A-Z2-7]/g, ""))
    .digest();

const grouped = (text: string) => text.match(/.{4}/g)?.join("-") ?? text;

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648, of bytes whose bits are a multiple of five. */
function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)] ?? "").join("");
}

const sealNameOf = (personId: string) => `second factor ${personId}`;

export const sealedFactors: SealedTable = {
  what: "second factors",
  count: async (db) =>
    (
      await db.query<{ head: Buffer; values: number }>(
        `select ${headOf("sealed")} as head, count(*)::int as values from person_factors group by 1`,
      )
    ).rows,
  readOthers: async (db, head, after, limit) =>
    (
      await db.query<{ id: string; sealed: Buffer }>(
        `select person_id::text as id, sealed from person_factors
          where ${headOf("sealed")} <> $1 and ($2::uuid is null or person_id > $2) order by person_id limit $3`,
        [head, after, limit],
      )
    ).rows,
  encryptAgain: (masterKey, { id, sealed }) => masterKey.seal(masterKey.open(sealed, sealNameOf(id)), sealNameOf(id)),
  async replace(db, values) {
    // Locks: the rows, for this statement.
    for (const { id, former, sealed } of values)
      await db.query("update person_factors set sealed = $3 where person_id = $1 and sealed = $2", [
        id,
        former,
        sealed,
      ]);
  },
};
