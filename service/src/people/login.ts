/** Logins: browsers in which a person is signed in, by a random secret in a cookie. */
import { createHash, randomBytes } from "node:crypto";
import {
  loginWays,
  memberRoles,
  withIncluded,
  type LoginRecord,
  type LoginState,
  type LoginWay,
  type MemberRole,
} from "@querent/contract";
import { oneOf, unlessReadOnly, type Database, type Queryable } from "../db/index.ts";
import { ProblemError } from "../api/problem-error.ts";
import type { Caller } from "../api/route.ts";
import { newId } from "../kernel/ids.ts";
import { limitedScopes, projectRefs } from "../projects/index.ts";
import { noteAudit } from "../runtime/audited.ts";
import { Batcher } from "../runtime/batcher.ts";

/** How long a login lasts: at most, and without being used. */
export interface LoginLimits {
  readonly hours: number;
  readonly idleHours: number;
}

/** A login that has begun, with the secret for the browser. */
export interface NewLogin {
  readonly loginId: string;
  readonly secret: string;
  readonly expiresAt: Date;
}

/** To which session at an identity provider a login belongs. */
export interface ProviderSession {
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly session: string | null;
  /** Encrypted. */
  readonly idToken: Buffer | null;
}

/** The provider of the logins and memberships that a proxy in front of the service began: no identity provider has this id. */
export const proxyId = "proxy";

/** 32 random bytes, for a cookie or a link. */
export const newSecret = () => randomBytes(32).toString("base64url");
/** SHA-256 is sufficient for 32 random bytes: a slow hash would add no protection against guessing. */
export const secretHash = (secret: string) => createHash("sha256").update(secret).digest();

const userAgentLengthMax = 300;

/**
 * Signs a person in for an account. The secret is always a new one, so that nobody can have planted it. A person has at most 200 logins:
 * the one that was used longest ago gives way.
 */
export async function beginLogin(
  tx: Queryable,
  input: {
    personId: string;
    accountId: string;
    address: string;
    userAgent: string | null;
    limits: LoginLimits;
    way: LoginWay;
    provider?: ProviderSession;
    /** The passkey that answered, or that was made. */
    passkeyId?: string | null;
  },
): Promise<NewLogin> {
  const secret = newSecret();
  const loginId = newId();
  const { personId, accountId, address, userAgent, limits, way, provider, passkeyId = null } = input;
  const { rows } = await tx.query<{ expires_at: Date }>(
    `insert into logins (id, sha256, person_id, account_id, address, user_agent, expires_at,
                         way, provider, issuer, subject, provider_session, id_token, passkey_id)
     values ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 hour', $8, $9, $10, $11, $12, $13, $14) returning expires_at`,
    [
      loginId,
      secretHash(secret),
      personId,
      accountId,
      address,
      userAgent?.slice(0, userAgentLengthMax) ?? null,
      limits.hours,
      way,
      ...[provider?.id, provider?.issuer, provider?.subject, provider?.session, provider?.idToken].map(
        (value) => value ?? null,
      ),
      passkeyId,
    ],
  );
  const { rows: persons } = await tx.query<{ email: string }>(
    "update persons set last_sign_in_at = now() where id = $1 returning email",
    [personId],
  );
  noteAudit({
    accountId,
    actor: { kind: "person", id: personId, name: persons[0]?.email ?? null },
    target: { type: "login", id: loginId },
    after: { way },
  });
  await tx.query(
    "delete from logins where id in (select id from logins where person_id = $1 order by last_used_at desc, id desc offset 200)",
    [personId],
  );
  return { loginId, secret, expiresAt: rows[0]?.expires_at ?? new Date() };
}

interface CallerRow {
  sha256: Buffer;
  id: string;
  person_id: string;
  account_id: string;
  account_name: string;
  email: string;
  member_id: string;
  role: string;
  project_ids: string[] | null;
  operator: boolean;
  needs_factor: boolean;
  used_lately: boolean;
  provider: string | null;
  issuer: string | null;
  subject: string | null;
}

/** SQL: a login, as `l`, that has neither ended nor been idle for too long. $1: the limit in hours. */
const isLive = "l.expires_at > now() and l.last_used_at > now() - $1::float8 * interval '1 hour'";

/** SQL: the person of this expression has codes of an authenticator app, beside the password. */
export const hasCodes = (personId: string) =>
  `exists (select from person_factors f where f.person_id = ${personId} and f.confirmed_at is not null)`;

/**
 * SQL: a login, as `l`, has shown no second factor, although its account, as `a`, requires one. A passkey has verified the person, and an
 * identity provider is asked for what it asks for. A person with codes has no login without one: turning them on ends all others.
 */
const needsFactor = `(a.second_factor_since is not null and l.passkey_id is null
  and coalesce(l.way, 'password') not in ('passkey', 'provider')
  and not ${hasCodes("l.person_id")})`;

/**
 * Refuses another way to sign in to a login without a second factor of a person who has a passkey, if any account of the person requires
 * a second factor: whoever knows the password alone could add one, and be in.
 */
export async function requireShownFactor(db: Queryable, { personId, loginId }: { personId: string; loginId: string }) {
  const { rowCount } = await db.query(
    `select from logins l join members m on m.person_id = l.person_id join accounts a on a.id = m.account_id
      where l.id = $1 and l.person_id = $2 and ${needsFactor} and exists (select from passkeys k where k.person_id = l.person_id) limit 1`,
    [loginId, personId],
  );
  if (rowCount === 0) return;
  throw new ProblemError(
    "second_factor_missing",
    "An account of yours requires a second factor. Sign in with a passkey that you have to change how you sign in. If you have lost it, ask an owner of the account, or the operator.",
  );
}

/**
 * Returns the function that finds who is signed in with a secret; null if nobody is. It is called for every request and remembers
 * nothing, so that the end of a login, another role and a removal take effect immediately in every process.
 */
export function loginAuthenticator(db: Queryable, limits: LoginLimits): (secret: string) => Promise<Caller | null> {
  const lookups = new Batcher<Buffer, Caller | null>({
    delayMs: 0,
    itemsMax: 500,
    concurrency: 2,
    write: (hashes) => findCallers(db, hashes, limits),
  });
  return (secret) => lookups.add(secretHash(secret));
}

async function findCallers(
  db: Queryable,
  hashes: readonly Buffer[],
  { idleHours }: LoginLimits,
): Promise<(Caller | null)[]> {
  const keys = hashes.map((hash) => hash.toString("hex"));
  const wanted = oneOf(
    "l.sha256",
    "$2",
    [...new Set(keys)].map((key) => Buffer.from(key, "hex")),
  );
  // The time of last use is written at most once a minute. Indexes: logins_sha256_key, and the primary or unique keys of the others.
  const { rows } = await db.query<CallerRow>({
    name: `authenticate login, ${wanted.form}`,
    text: `select l.sha256, l.id, l.person_id, l.account_id, a.name as account_name, p.email, m.id as member_id, m.role, m.project_ids, p.operator,
                  ${needsFactor} as needs_factor, l.provider, l.issuer, l.subject,
                  l.last_used_at > now() - interval '1 minute' as used_lately
             from logins l
             join members m on m.account_id = l.account_id and m.person_id = l.person_id
             join persons p on p.id = l.person_id
             join accounts a on a.id = l.account_id
            where ${wanted.condition} and ${isLive}`,
    values: [idleHours, wanted.value],
  });
  const unused = rows.filter((row) => !row.used_lately).map((row) => row.id);
  if (unused.length > 0)
    // Locks: the logins' rows. Those that another lookup is about to write are skipped: it writes the same.
    await db
      .query(
        `update logins set last_used_at = now()
        where id in (select id from logins where id = any($1::uuid[])
                        and last_used_at < now() - interval '1 minute' for no key update skip locked)`,
        [unused],
      )
      .catch(unlessReadOnly);
  const callers = new Map(rows.map((row) => [row.sha256.toString("hex"), callerOf(row)]));
  return keys.map((key) => callers.get(key) ?? null);
}

function callerOf(row: CallerRow): Caller {
  const role = readRole(row.role);
  return {
    accountId: row.account_id,
    accountName: row.account_name,
    name: row.email,
    tokenId: row.member_id,
    accessId: row.id,
    scopes: scopesOf(row.role, row.project_ids, row.operator),
    projects: row.project_ids,
    person: {
      personId: row.person_id,
      loginId: row.id,
      memberId: row.member_id,
      role,
      needsFactor: row.needs_factor,
      ...(row.provider === proxyId ? { statedAs: { issuer: row.issuer ?? "", subject: row.subject ?? "" } } : {}),
    },
  };
}

/** A role as it is shown. One that this version does not know, because a later version gave it, is shown as that with the fewest scopes. */
export function readRole(role: string): MemberRole {
  return isKnown(role) ? role : "client";
}

const isKnown = (role: string): role is MemberRole => Object.hasOwn(memberRoles, role);

/** A role that this version does not know allows nothing here: it may be narrower than any that is known. */
const scopesOf = (role: string, projects: readonly string[] | null, isOperator: boolean) =>
  withIncluded([
    ...limitedScopes(isKnown(role) ? memberRoles[role].scopes : [], projects),
    ...(isOperator ? (["admin"] as const) : []),
  ]);

/** Returns the logins among these that have not ended, for work that continues after its request was authenticated. */
export async function validLogins(
  db: Queryable,
  loginIds: readonly string[],
  { idleHours }: LoginLimits,
): Promise<ReadonlySet<string>> {
  // Index: the primary key.
  const { rows } = await db.query<{ id: string }>({
    name: "valid logins",
    text: `select l.id from logins l join accounts a on a.id = l.account_id
            where l.id = any($2::uuid[]) and ${isLive} and not ${needsFactor}`,
    values: [idleHours, loginIds],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Who is signed in with a login, and in which accounts they could be. */
export async function readLogin(db: Queryable, loginId: string): Promise<LoginState | null> {
  const { rows } = await db.query<{
    person_id: string;
    email: string;
    name: string;
    operator: boolean;
    expires_at: Date;
    is_current: boolean;
    account_id: string;
    account_name: string;
    member_id: string;
    role: string;
    project_ids: string[] | null;
    has_password: boolean;
    second_factor: boolean;
    recovery_codes: number;
    passkeys: number;
    needs_factor: boolean;
    way: string | null;
    provider: string | null;
  }>(
    // Indexes: the primary keys and members_person.
    `select p.id as person_id, p.email, p.name, p.operator, p.password_hash is not null as has_password,
            ${hasCodes("p.id")} as second_factor,
            (select count(*)::int from recovery_codes r where r.person_id = p.id) as recovery_codes,
            (select count(*)::int from passkeys k where k.person_id = p.id) as passkeys, ${needsFactor} as needs_factor, l.way, l.provider, l.expires_at, m.account_id = l.account_id as is_current, m.account_id,
            a.name as account_name, m.id as member_id, m.role, m.project_ids
       from logins l join persons p on p.id = l.person_id join members m on m.person_id = p.id join accounts a on a.id = m.account_id
      where l.id = $1 order by a.name`,
    [loginId],
  );
  const current = rows.find((row) => row.is_current);
  if (current === undefined) return null;
  const role = readRole(current.role);
  const projectIds = current.project_ids;
  return {
    loginId,
    person: { personId: current.person_id, email: current.email, name: current.name },
    accountId: current.account_id,
    accountName: current.account_name,
    memberId: current.member_id,
    role,
    operator: current.operator,
    secondFactor: current.second_factor,
    recoveryCodes: current.recovery_codes,
    hasPassword: current.has_password,
    passkeys: current.passkeys,
    needsSecondFactor: current.needs_factor,
    way: loginWays.find((way) => way === current.way) ?? "password",
    providerId: current.provider,
    scopes: current.needs_factor ? [] : [...scopesOf(current.role, projectIds, current.operator)],
    projects: projectIds === null ? null : (await projectRefs(db, current.account_id))(projectIds),
    memberships: rows.map((row) => ({
      accountId: row.account_id,
      accountName: row.account_name,
      memberId: row.member_id,
      role: readRole(row.role),
    })),
    expiresAt: current.expires_at.toISOString(),
  };
}

/** The live logins of a person, of one account or of all, last used first. */
export async function listLogins(
  db: Queryable,
  { personId, accountId, currentId }: { personId: string; accountId: string | null; currentId: string | null },
  { idleHours }: LoginLimits,
): Promise<LoginRecord[]> {
  // Index: logins_person.
  const { rows } = await db.query<{
    id: string;
    address: string;
    user_agent: string | null;
    created_at: Date;
    last_used_at: Date;
    expires_at: Date;
  }>(
    `select l.id, l.address, l.user_agent, l.created_at, l.last_used_at, l.expires_at from logins l
      where l.person_id = $2 and ($3::uuid is null or l.account_id = $3) and ${isLive}
      order by l.last_used_at desc, l.id desc limit 200`,
    [idleHours, personId, accountId],
  );
  return rows.map((row) => ({
    loginId: row.id,
    current: row.id === currentId,
    address: row.address,
    userAgent: row.user_agent,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }));
}

/** Ends logins of a person: one, those for an account, or all, except one that is kept. Returns how many. */
export async function endLogins(
  db: Queryable,
  { personId, loginId, accountId, except }: { personId: string; loginId?: string; accountId?: string; except?: string },
): Promise<number> {
  // Index: logins_person.
  const { rowCount } = await db.query(
    `delete from logins where person_id = $1 and ($2::uuid is null or id = $2) and ($3::uuid is null or account_id = $3)
        and ($4::uuid is null or id <> $4)`,
    [personId, loginId ?? null, accountId ?? null, except ?? null],
  );
  return rowCount ?? 0;
}

/** How long after signing in the ways to sign in can be changed without the password. */
const freshMinutes = 10;

/** Whether a login began a short time ago. */
export async function isFresh(db: Queryable, loginId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    "select from logins where id = $1 and created_at > now() - $2 * interval '1 minute'",
    [loginId, freshMinutes],
  );
  return rowCount === 1;
}

/** Deletes logins and links that have ended by themselves, and persons who are members of no account. */
export async function forgetLogins(database: Database, { idleHours }: LoginLimits): Promise<void> {
  await database.query(`delete from logins l where not (${isLive})`, [idleHours]);
  await database.query("delete from person_links where expires_at < now()");
  await database.query("delete from provider_attempts where expires_at < now()");
  await database.query("delete from passkey_attempts where expires_at < now()");
  // Persons whose last account was deleted. One who joins now is inserted together with the membership.
  await database.query("delete from persons p where not exists (select from members where person_id = p.id)");
}
