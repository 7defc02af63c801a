/** Persons, and their memberships in accounts. */
import { memberRoles, membersMax, type MemberRecord, type MemberRole, type ProblemItem } from "@querent/contract";
import type { Queryable, Transaction } from "../db/index.ts";
import { ProblemError } from "../api/problem-error.ts";
import { newId } from "../kernel/ids.ts";
import { noteAudit } from "../runtime/audited.ts";
import { projectRefs, requireProjects } from "../projects/index.ts";
import { hasCodes, readRole, type LoginLimits } from "./login.ts";

export interface Person {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  /** Null: the person has no password. */
  readonly passwordHash: string | null;
}

/** An e-mail address as it is written, and as it is compared. */
export interface Email {
  readonly text: string;
  readonly key: string;
}

export const invalid = (error: ProblemItem) =>
  new ProblemError("validation_failed", "The body is not valid. Nothing was done.", { errors: [error] });

export function readEmail(text: string): Email | null {
  const trimmed = text.trim().normalize("NFC");
  return /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(trimmed) ? { text: trimmed, key: trimmed.toLowerCase() } : null;
}

export function requireEmail(pointer: string, text: string): Email {
  const email = readEmail(text);
  if (email === null) throw invalid({ pointer, code: "malformed", detail: "It is not an e-mail address." });
  return email;
}

export function requireName(pointer: string, text: string): string {
  const name = text.trim();
  if (name === "" || /\p{Cc}/u.test(name))
    throw invalid({ pointer, code: "malformed", detail: "A name has letters, and no control characters." });
  return name;
}

export async function findPerson(
  db: Queryable,
  { email, personId }: { readonly email?: Email; readonly personId?: string },
): Promise<Person | null> {
  // Indexes: persons_email_key_key, and the primary key.
  const { rows } = await db.query<{ id: string; email: string; name: string; password_hash: string | null }>(
    "select id, email, name, password_hash from persons where email_key = $1 or id = $2::uuid",
    [email?.key ?? null, personId ?? null],
  );
  const row = rows[0];
  return row === undefined
    ? null
    : { personId: row.id, email: row.email, name: row.name, passwordHash: row.password_hash };
}

/** Creates a person. Null: there is one with this e-mail address already. */
export async function createPerson(
  tx: Transaction,
  input: { personId?: string; email: Email; name: string; passwordHash: string | null },
): Promise<string | null> {
  const { personId = newId() } = input;
  const { rowCount } = await tx.query(
    `insert into persons (id, email, email_key, name, password_hash) values ($1, $2, $3, $4, $5) on conflict (email_key) do nothing`,
    [personId, input.email.text, input.email.key, input.name, input.passwordHash],
  );
  return rowCount === 0 ? null : personId;
}

/** What a member may do: a role, in some projects or, if null, in the whole account. */
export interface Membership {
  readonly role: MemberRole;
  readonly projects: readonly string[] | null;
}

/** Throws an error unless the role can have these projects, and the account has them. */
export async function requireMembership(
  db: Queryable,
  accountId: string,
  { role, projects }: Membership,
): Promise<void> {
  const { isLimited } = memberRoles[role] as { readonly isLimited?: boolean };
  const wrong = (detail: string) => invalid({ pointer: "/projects", code: "not_allowed", detail });
  if (isLimited === true && projects === null)
    throw wrong(`Name the projects: a member with the role \`${role}\` is limited to some.`);
  if (isLimited === false && projects !== null)
    throw wrong(
      `A member with the role \`${role}\` is a member of the whole account. Leave out the projects, or choose another role.`,
    );
  await requireProjects(db, accountId, projects);
}

/** Makes a person a member of an account. One who is a member already gets the role, unless the person is an owner. */
export async function addMember(
  tx: Transaction,
  input: Membership & { accountId: string; personId: string; operator: boolean; provider?: string },
): Promise<void> {
  const { accountId, personId, role, projects, operator, provider = null } = input;
  await requireFewMembers(tx, accountId);
  await tx.query(
    `insert into members (id, account_id, person_id, role, provider, project_ids) values ($1, $2, $3, $4, $5, $6)
     on conflict (account_id, person_id)
     do update set role = case when members.role = 'owner' then members.role else excluded.role end,
                   project_ids = case when members.role = 'owner' then null else excluded.project_ids end,
                   provider = excluded.provider`,
    [newId(), accountId, personId, role, provider, projects],
  );
  if (operator) await tx.query("update persons set operator = true where id = $1", [personId]);
}

export async function requireFewMembers(db: Queryable, accountId: string): Promise<void> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from members where account_id = $1",
    [accountId],
  );
  if ((rows[0]?.count ?? 0) >= membersMax)
    throw new ProblemError("state_conflict", `The account has ${membersMax} members, which is the most.`);
}

export async function isMember(db: Queryable, accountId: string, email: Email): Promise<boolean> {
  const { rowCount } = await db.query(
    "select from members m join persons p on p.id = m.person_id where m.account_id = $1 and p.email_key = $2",
    [accountId, email.key],
  );
  return rowCount !== 0;
}

/** Whether anybody is a person here. */
export async function hasPersons(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ any: boolean }>("select exists (select from persons) as any");
  return rows[0]?.any === true;
}

/** The account in which a person was last signed in, or the first by name; null if the person is a member of none. */
export async function accountOf(db: Queryable, personId: string): Promise<string | null> {
  const { rows } = await db.query<{ account_id: string }>(
    `select m.account_id from members m join accounts a on a.id = m.account_id
      where m.person_id = $1
      order by (select max(created_at) from logins l where l.person_id = m.person_id and l.account_id = m.account_id)
               desc nulls last, a.name limit 1`,
    [personId],
  );
  return rows[0]?.account_id ?? null;
}

interface MemberRow {
  id: string;
  account_id: string;
  account_name: string;
  person_id: string;
  email: string;
  name: string;
  role: string;
  project_ids: string[] | null;
  provider: string | null;
  second_factor: boolean;
  passkeys: number;
  has_password: boolean;
  operator: boolean;
  created_at: Date;
  last_sign_in_at: Date | null;
  logins: number;
}

export interface AccountMember {
  readonly accountId: string;
  readonly accountName: string;
  readonly personId: string;
  readonly operator: boolean;
  readonly record: MemberRecord;
}

/** Members of one account or of all, by e-mail address. */
export async function listMembers(
  db: Queryable,
  filter: { accountId?: string; memberId?: string; email?: Email },
  { idleHours }: LoginLimits,
): Promise<AccountMember[]> {
  // Indexes: members_account_id_person_id_key or the primary key, and logins_member. Without a filter it reads all, for an operator's command.
  const { rows } = await db.query<MemberRow>(
    `select m.id, m.account_id, a.name as account_name, m.person_id, p.email, p.name, m.role, m.project_ids, m.provider, p.operator, m.created_at,
            p.last_sign_in_at,
            ${hasCodes("p.id")} as second_factor,
            (select count(*)::int from passkeys k where k.person_id = p.id) as passkeys, p.password_hash is not null as has_password,
            (select count(*)::int from logins l where l.account_id = m.account_id and l.person_id = m.person_id
                and l.expires_at > now() and l.last_used_at > now() - $4::float8 * interval '1 hour') as logins
       from members m join persons p on p.id = m.person_id join accounts a on a.id = m.account_id
      where ($1::uuid is null or m.account_id = $1) and ($2::uuid is null or m.id = $2)
        and ($3::text is null or p.email_key = $3)
      order by a.name, p.email_key`,
    [filter.accountId ?? null, filter.memberId ?? null, filter.email?.key ?? null, idleHours],
  );
  const limited = new Set(rows.filter((row) => row.project_ids !== null).map((row) => row.account_id));
  const refs = new Map<string, Awaited<ReturnType<typeof projectRefs>>>();
  for (const id of limited) refs.set(id, await projectRefs(db, id));
  return rows.map((row) => ({
    accountId: row.account_id,
    accountName: row.account_name,
    personId: row.person_id,
    operator: row.operator,
    record: {
      memberId: row.id,
      email: row.email,
      name: row.name,
      role: readRole(row.role),
      projects: refs.get(row.account_id)?.(row.project_ids) ?? null,
      secondFactor: row.second_factor,
      passkeys: row.passkeys,
      hasPassword: row.has_password,
      provider: row.provider,
      createdAt: row.created_at.toISOString(),
      lastSignInAt: row.last_sign_in_at?.toISOString() ?? null,
      logins: row.logins,
    },
  }));
}

const noMember = () => new ProblemError("not_found", "There is no such member.");

/**
 * Changes a member's role and projects, and ends the member's logins, so that nothing goes on with the former ones. Projects that are
 * left out stay, if the role can have some.
 */
export async function setRole(
  tx: Transaction,
  {
    accountId,
    memberId,
    role,
    projects: asked,
  }: { accountId: string; memberId: string; role: MemberRole; projects?: readonly string[] | null | undefined },
): Promise<void> {
  const owners = await lockOwners(tx, accountId);
  const { rows } = await tx.query<{ person_id: string; role: string; project_ids: string[] | null }>(
    "select person_id, role, project_ids from members where id = $1 and account_id = $2 for update",
    [memberId, accountId],
  );
  const member = rows[0];
  if (member === undefined) throw noMember();
  const before = member.project_ids;
  const canBeLimited = (memberRoles[role] as { readonly isLimited?: boolean }).isLimited !== false;
  const projects = asked === undefined ? (canBeLimited ? before : null) : asked;
  // Those that a membership has already may have been deleted.
  if (asked !== undefined || projects === null) await requireMembership(tx, accountId, { role, projects });
  const shown = (ids: readonly string[] | null) => (ids === null ? {} : { projects: ids });
  noteAudit({
    target: { type: "member", id: memberId },
    before: { role: member.role, ...shown(before) },
    after: { role, ...shown(projects) },
  });
  if (member.role === role && isSameLimit(before, projects)) return;
  if (role !== "owner") requireOtherOwner(owners, memberId);
  await tx.query("update members set role = $2, project_ids = $3 where id = $1", [memberId, role, projects]);
  await tx.query("delete from logins where account_id = $1 and person_id = $2", [accountId, member.person_id]);
}

export function isSameLimit(one: readonly string[] | null, other: readonly string[] | null): boolean {
  if (one === null || other === null) return one === other;
  return new Set(one).symmetricDifference(new Set(other)).size === 0;
}

/** Removes a member with the logins for this account, and the person if this was the last membership. Returns the e-mail address. */
export async function removeMember(
  tx: Transaction,
  { accountId, memberId }: { accountId: string; memberId: string },
): Promise<string> {
  requireOtherOwner(await lockOwners(tx, accountId), memberId);
  const { rows } = await tx.query<{ person_id: string; role: string }>(
    "delete from members where id = $1 and account_id = $2 returning person_id, role",
    [memberId, accountId],
  );
  const personId = rows[0]?.person_id;
  if (personId === undefined) throw noMember();
  const { rows: persons } = await tx.query<{ email: string }>("select email from persons where id = $1 for update", [
    personId,
  ]);
  await tx.query("delete from persons p where id = $1 and not exists (select from members where person_id = p.id)", [
    personId,
  ]);
  const email = persons[0]?.email ?? "";
  noteAudit({ target: { type: "member", id: memberId }, before: { email, role: rows[0]?.role } });
  return email;
}

/** Locks: the account's owners, so that two of them cannot remove each other at the same moment. */
async function lockOwners(tx: Transaction, accountId: string): Promise<readonly string[]> {
  const { rows } = await tx.query<{ id: string }>(
    "select id from members where account_id = $1 and role = 'owner' order by id for update",
    [accountId],
  );
  return rows.map(({ id }) => id);
}

function requireOtherOwner(owners: readonly string[], memberId: string): void {
  if (owners.length !== 1 || owners[0] !== memberId) return;
  throw new ProblemError("state_conflict", "The account's last owner stays one. Make somebody else an owner first.");
}

/** Whether a person operates the service. Ends the person's logins, so that nothing goes on with what is no longer allowed. */
export async function setOperator(tx: Transaction, personId: string, operator: boolean): Promise<void> {
  noteAudit({ target: { type: "person", id: personId }, after: { operator } });
  await tx.query("update persons set operator = $2 where id = $1", [personId, operator]);
  await tx.query("delete from logins where person_id = $1", [personId]);
}

/** The role by its name; null if there is none. */
export const roleNamed = (name: string): MemberRole | null =>
  Object.hasOwn(memberRoles, name) ? (name as MemberRole) : null;
