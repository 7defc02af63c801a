/** Passkeys (WebAuthn): what a browser is asked for, what its answer proves, and which passkeys a person has. */
import { createHmac } from "node:crypto";
import { isIP } from "node:net";
import { passkeysMax, type NewPasskey, type PasskeyAnswer, type PasskeyRecord } from "@querent/contract";
import { ProblemError } from "../api/problem-error.ts";
import type { Queryable, Transaction } from "../db/index.ts";
import { newId } from "../kernel/ids.ts";
import { noteAudit } from "../runtime/audited.ts";
import { newSecret, secretHash } from "./login.ts";

/** Where passkeys work: they are bound to a host name, and their answers name the origin of the page. */
export interface PasskeyPlace {
  readonly rpId: string;
  readonly origins: readonly string[];
}

interface PasskeyPlaces {
  /** Null: passkeys don't work where the browser is. */
  readonly here: PasskeyPlace | null;
  /** Where they work instead; null if they work here, or nowhere. */
  readonly address: string | null;
}

/**
 * Where passkeys work, of a browser that asks `host`. They are bound to the host of `QUERENT_PUBLIC_URL` or, without it, to `localhost`:
 * browsers have none for IP addresses, nor over plain HTTP elsewhere.
 */
export function passkeyPlaces(publicUrl: string | null, host: string): PasskeyPlaces {
  const nowhere = { here: null, address: null };
  const asked = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : null;
  if (publicUrl !== null) {
    const { protocol, hostname, origin, host: publicHost } = new URL(publicUrl);
    if (hostname !== "localhost" && (protocol !== "https:" || isAddress(hostname))) return nowhere;
    return host.toLowerCase() === publicHost
      ? { here: { rpId: hostname, origins: [origin] }, address: null }
      : { here: null, address: `${publicUrl}/console` };
  }
  if (asked === null) return nowhere;
  if (asked.hostname === "localhost")
    return { here: { rpId: "localhost", origins: [`http://${asked.host}`, `https://${asked.host}`] }, address: null };
  const isOwnMachine = asked.hostname === "[::1]" || asked.hostname.startsWith("127.");
  const port = asked.port === "" ? "" : `:${asked.port}`;
  return isOwnMachine ? { here: null, address: `http://localhost${port}/console` } : nowhere;
}

const isAddress = (hostname: string) => isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;

/** Where passkeys work, where the browser is; throws an error that says where it has to go. */
export function requirePlace(publicUrl: string | null, host: string): PasskeyPlace {
  const { here, address } = passkeyPlaces(publicUrl, host);
  if (here !== null) return here;
  throw new ProblemError(
    "state_conflict",
    address === null
      ? "Passkeys don't work at this address: they need a host name, and HTTPS or localhost. The operator sets QUERENT_PUBLIC_URL."
      : `Passkeys don't work at this address. Open ${address}, and try again there.`,
  );
}

type AttemptPurpose = "sign in" | "add" | "link";

/** What a browser was asked for. */
interface Attempt {
  readonly personId: string | null;
  readonly linkHash: Buffer | null;
}

const attemptMinutes = 5;
const timeoutMs = attemptMinutes * 60_000;

/** As what an identity provider is asked for: the secret is in the browser's cookie alone, and nothing stored tells the challenge. */
const challengeOf = (secret: string) => createHmac("sha256", secret).update("passkey challenge").digest();

/** A browser's attempt that has begun, with the secret for its cookie. */
export interface NewAttempt {
  readonly secret: string;
  readonly expiresAt: Date;
}

async function beginAttempt(
  db: Queryable,
  purpose: AttemptPurpose,
  { personId, linkHash }: Attempt,
): Promise<NewAttempt> {
  const secret = newSecret();
  const { rows } = await db.query<{ expires_at: Date }>(
    `insert into passkey_attempts (sha256, purpose, person_id, link_sha256, expires_at)
     values ($1, $2, $3, $4, now() + $5 * interval '1 minute') returning expires_at`,
    [secretHash(secret), purpose, personId, linkHash, attemptMinutes],
  );
  return { secret, expiresAt: rows[0]?.expires_at ?? new Date() };
}

/**
 * Uses up what the browser was asked for; null if it was not, or has answered already. It is committed before the answer is verified: of
 * two requests with the same answer, one is heard, and a wrong answer is no try for a better one.
 */
export async function takeAttempt(
  db: Queryable,
  purpose: AttemptPurpose,
  secret: string | null,
): Promise<(Attempt & { readonly challenge: string }) | null> {
  if (secret === null) return null;
  // Locks: the attempt's row. Index: the primary key.
  const { rows } = await db.query<{ person_id: string | null; link_sha256: Buffer | null }>(
    "delete from passkey_attempts where sha256 = $1 and purpose = $2 and expires_at > now() returning person_id, link_sha256",
    [secretHash(secret), purpose],
  );
  const [row] = rows;
  return row === undefined
    ? null
    : { personId: row.person_id, linkHash: row.link_sha256, challenge: challengeOf(secret).toString("base64url") };
}

/** Asks a browser to make a passkey. The passkeys that the person has are named, so that no authenticator makes a second one. */
export async function askForNew(
  db: Queryable,
  place: PasskeyPlace,
  purpose: "add" | "link",
  who: { readonly personId: string; readonly email: string; readonly name: string; readonly linkHash: Buffer | null },
): Promise<{ options: object; attempt: NewAttempt }> {
  const { rows } = await db.query<{ credential_id: Buffer; transports: string[] }>(
    "select credential_id, transports from passkeys where person_id = $1 and rp_id = $2",
    [who.personId, place.rpId],
  );
  const { generateRegistrationOptions } = await library();
  const attempt = await beginAttempt(db, purpose, who);
  const options = await generateRegistrationOptions({
    rpName: "Querent",
    rpID: place.rpId,
    userID: handleOf(who.personId),
    userName: who.email,
    userDisplayName: who.name,
    challenge: new Uint8Array(challengeOf(attempt.secret)),
    timeout: timeoutMs,
    attestationType: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: rows.map((row) => ({
      id: row.credential_id.toString("base64url"),
      transports: row.transports,
    })),
    supportedAlgorithmIDs: [...algorithms],
  });
  return { options, attempt };
}

/** Asks a browser for the answer of any passkey that it has for this host. It names nobody. */
export async function askForAny(
  db: Queryable,
  place: PasskeyPlace,
  linkHash: Buffer | null,
): Promise<{ options: object; attempt: NewAttempt }> {
  const { generateAuthenticationOptions } = await library();
  const attempt = await beginAttempt(db, "sign in", { personId: null, linkHash });
  const options = await generateAuthenticationOptions({
    rpID: place.rpId,
    challenge: new Uint8Array(challengeOf(attempt.secret)),
    timeout: timeoutMs,
    userVerification: "required",
  });
  return { options, attempt };
}

/** Ed25519, ECDSA with P-256, and RSA with SHA-256: what authenticators have. */
const algorithms = [-8, -7, -257] as const;

/** The id of a person as 16 bytes, which say nothing of the person. */
const handleOf = (personId: string) => new Uint8Array(Buffer.from(personId.replaceAll("-", ""), "hex"));

/** Why an answer was refused, in short, for the audit log: without what was sent. */
export class PasskeyRefused extends Error {}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^Unexpected \w+ response (type|challenge)/, "another challenge"],
  [/^Unexpected \w+ response origin/, "another origin"],
  [/^Unexpected RP ID hash/, "another host"],
  [/^User verification/, "person not verified"],
];

/** Verifies with the library, whose errors name what was sent. */
async function refusing<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof PasskeyRefused) throw error;
    const message = error instanceof Error ? error.message : "";
    throw new PasskeyRefused(reasons.find(([form]) => form.test(message))?.[1] ?? "malformed", { cause: error });
  }
}

/** A passkey that a browser has made, verified. */
export interface VerifiedPasskey {
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly rpId: string;
  readonly transports: readonly string[];
  readonly synced: boolean;
  readonly name: string;
}

/** Verifies a new passkey: made for this challenge, at this address, by a person whom the authenticator has verified. */
export async function verifyNew(place: PasskeyPlace, challenge: string, sent: NewPasskey): Promise<VerifiedPasskey> {
  const { credentialId, clientData, attestation } = sent;
  const { verifyRegistrationResponse, decodeAttestationObject } = await library();
  return refusing(async () => {
    // No statement of a manufacturer was asked for. None is verified: certificates would be read, and lists of revoked ones loaded.
    const stated = decodeAttestationObject(new Uint8Array(Buffer.from(attestation, "base64url")));
    if (!["none", "packed"].includes(stated.get("fmt")) || stated.get("attStmt").get("x5c") !== undefined)
      throw new PasskeyRefused("an attestation");
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id: credentialId,
        rawId: credentialId,
        type: "public-key",
        response: { clientDataJSON: clientData, attestationObject: attestation },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: [...place.origins],
      expectedRPID: place.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...algorithms],
    });
    if (!verified || registrationInfo.credential.id !== credentialId) throw new PasskeyRefused("wrong signature");
    const { credential, credentialBackedUp } = registrationInfo;
    return {
      credentialId: Buffer.from(credential.id, "base64url"),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      rpId: place.rpId,
      transports: sent.transports ?? [],
      synced: credentialBackedUp,
      name: sent.name?.trim() || defaultName,
    };
  });
}

const defaultName = "Passkey";

/** A passkey with what verifies its answers. */
interface StoredPasskey {
  readonly passkeyId: string;
  readonly personId: string;
  readonly publicKey: Buffer;
}

export async function findPasskey(db: Queryable, rpId: string, credentialId: string): Promise<StoredPasskey | null> {
  // Index: passkeys_credential_id_key.
  const { rows } = await db.query<{ id: string; person_id: string; public_key: Buffer }>(
    "select id, person_id, public_key from passkeys where credential_id = $1 and rp_id = $2",
    [Buffer.from(credentialId, "base64url"), rpId],
  );
  const [row] = rows;
  return row === undefined ? null : { passkeyId: row.id, personId: row.person_id, publicKey: row.public_key };
}

/** What the answer of a passkey says besides that it is one. */
interface VerifiedAnswer {
  readonly counter: number;
  readonly synced: boolean;
}

/** Verifies the answer of a passkey: for this challenge, at this address, by a person whom the authenticator has verified. */
export async function verifyAnswer(
  place: PasskeyPlace,
  challenge: string,
  { personId, publicKey }: StoredPasskey,
  { credentialId, clientData, authenticatorData, signature, userHandle }: PasskeyAnswer,
): Promise<VerifiedAnswer> {
  const { verifyAuthenticationResponse } = await library();
  return refusing(async () => {
    if (userHandle !== Buffer.from(handleOf(personId)).toString("base64url"))
      throw new PasskeyRefused("another person");
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: credentialId,
        rawId: credentialId,
        type: "public-key",
        response: { clientDataJSON: clientData, authenticatorData, signature, userHandle },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: [...place.origins],
      expectedRPID: place.rpId,
      requireUserVerification: true,
      // The counter is compared in the statement that stores it: also with what another process stores at the same moment.
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: 0 },
    });
    if (!verified) throw new PasskeyRefused("wrong signature");
    return { counter: authenticationInfo.newCounter, synced: authenticationInfo.credentialBackedUp };
  });
}

/** Notes that a passkey has answered. Its counter, if it has one, grows with each answer: one that does not is that of a copy. */
export async function noteAnswer(
  tx: Transaction,
  { passkeyId }: StoredPasskey,
  { counter, synced }: VerifiedAnswer,
): Promise<"noted" | "gone" | "counter went back"> {
  // Locks: the passkey's row. Whoever removes the passkey waits, and then finds the login that begins here.
  const { rowCount } = await tx.query(
    `update passkeys set counter = $2, synced = $3, last_used_at = now()
      where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))`,
    [passkeyId, counter, synced],
  );
  if (rowCount === 1) return "noted";
  const { rowCount: left } = await tx.query("select from passkeys where id = $1", [passkeyId]);
  return left === 0 ? "gone" : "counter went back";
}

/** Stores a passkey of a person. */
export async function insertPasskey(
  tx: Transaction,
  personId: string,
  passkey: VerifiedPasskey,
): Promise<PasskeyRecord> {
  // Locks: the person's row, so that the passkeys are counted one request after the other.
  await tx.query("select from persons where id = $1 for update", [personId]);
  const { rows: counted } = await tx.query<{ count: number }>(
    "select count(*)::int as count from passkeys where person_id = $1",
    [personId],
  );
  if ((counted[0]?.count ?? 0) >= passkeysMax)
    throw new ProblemError(
      "state_conflict",
      `The person has ${passkeysMax} passkeys, which is the most. Remove one first.`,
    );
  const passkeyId = newId();
  const { rows } = await tx.query<PasskeyRow>(
    `insert into passkeys (id, person_id, credential_id, public_key, counter, rp_id, transports, synced, name)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (credential_id) do nothing returning ${shown}`,
    [
      passkeyId,
      personId,
      passkey.credentialId,
      passkey.publicKey,
      passkey.counter,
      passkey.rpId,
      [...passkey.transports],
      passkey.synced,
      passkey.name,
    ],
  );
  const [row] = rows;
  if (row === undefined) throw new ProblemError("state_conflict", "This passkey was added already.");
  return recordOf(row);
}

interface PasskeyRow {
  id: string;
  name: string;
  rp_id: string;
  synced: boolean;
  created_at: Date;
  last_used_at: Date | null;
}

const shown = "id, name, rp_id, synced, created_at, last_used_at";

const recordOf = (row: PasskeyRow): PasskeyRecord => ({
  passkeyId: row.id,
  name: row.name,
  host: row.rp_id,
  synced: row.synced,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});

/** The passkeys of a person, oldest first. */
export async function listPasskeys(db: Queryable, personId: string): Promise<PasskeyRecord[]> {
  // Index: passkeys_person.
  const { rows } = await db.query<PasskeyRow>(
    `select ${shown} from passkeys where person_id = $1 order by created_at, id`,
    [personId],
  );
  return rows.map(recordOf);
}

const noPasskey = () => new ProblemError("not_found", "There is no such passkey.");

export async function renamePasskey(
  tx: Transaction,
  { personId, passkeyId, name }: { readonly personId: string; readonly passkeyId: string; readonly name: string },
): Promise<PasskeyRecord> {
  const { rows } = await tx.query<PasskeyRow>(
    `update passkeys set name = $3 where id = $1 and person_id = $2 returning ${shown}`,
    [passkeyId, personId, name],
  );
  const [row] = rows;
  if (row === undefined) throw noPasskey();
  noteAudit({ target: { type: "passkey", id: passkeyId }, after: { name } });
  return recordOf(row);
}

/**
 * Removes a passkey, or all of a person, and ends the logins that began with it, except one that is kept. A login with a password in which
 * it was added goes on. Returns how many were removed.
 * `keepsOne`: the last way to sign in stays.
 */
export async function removePasskeys(
  tx: Transaction,
  {
    personId,
    passkeyId = null,
    exceptLogin = null,
    keepsOne = null,
  }: {
    readonly personId: string;
    readonly passkeyId?: string | null;
    readonly exceptLogin?: string | null;
    /** Whether an identity provider that knows the person counts as a way. Null: also the last way is removed. */
    readonly keepsOne?: { readonly providers: boolean } | null;
  },
): Promise<number> {
  // Locks: the person's row, so that two requests cannot remove the last two passkeys at the same moment.
  await tx.query("select from persons where id = $1 for update", [personId]);
  const { rows } = await tx.query<{ id: string; name: string }>(
    "delete from passkeys where person_id = $1 and ($2::uuid is null or id = $2) returning id, name",
    [personId, passkeyId],
  );
  if (passkeyId !== null && rows.length === 0) throw noPasskey();
  if (keepsOne !== null && !(await hasWay(tx, personId, keepsOne.providers)))
    throw new ProblemError(
      "state_conflict",
      "This passkey is the person's last way to sign in. Add another passkey or set a password first.",
    );
  const removed = rows.map(({ id }) => id);
  // Index: logins_person.
  await tx.query(
    `delete from logins where person_id = $1 and passkey_id = any($2::uuid[]) and way in ('passkey', 'link')
        and ($3::uuid is null or id <> $3)`,
    [personId, removed, exceptLogin],
  );
  await tx.query("update logins set passkey_id = null where person_id = $1 and passkey_id = any($2::uuid[])", [
    personId,
    removed,
  ]);
  const [only] = rows;
  noteAudit(
    passkeyId === null || only === undefined
      ? { target: { type: "person", id: personId }, after: { passkeys: "removed", removed: rows.length } }
      : { target: { type: "passkey", id: passkeyId }, before: { name: only.name } },
  );
  return rows.length;
}

/** Whether a person has any way to sign in. */
export async function hasWay(db: Queryable, personId: string, providers: boolean): Promise<boolean> {
  const { rows } = await db.query<{ any: boolean }>(
    `select p.password_hash is not null or exists (select from passkeys k where k.person_id = p.id)
            or ($2 and exists (select from person_identities i where i.person_id = p.id)) as any
       from persons p where p.id = $1`,
    [personId, providers],
  );
  return rows[0]?.any === true;
}

/** Loaded for the first passkey: the library takes some tenths of a second, because it also reads certificates. */
function library() {
  loading ??= Promise.all([import("@simplewebauthn/server"), import("@simplewebauthn/server/helpers")]).then(
    ([server, { decodeAttestationObject }]) => ({ ...server, decodeAttestationObject }),
  );
  return loading;
}

let loading:
  | Promise<
      typeof import("@simplewebauthn/server") &
        Pick<typeof import("@simplewebauthn/server/helpers"), "decodeAttestationObject">
    >
  | undefined;
