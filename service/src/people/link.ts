/** Links that work once: invitations to an account, and links that set a new password. */
import {
  invitationsMax,
  type InvitationRecord,
  type MemberRole,
  type OneTimeLinkState,
  type linkPurposes,
} from "@querent/contract";
import type { Queryable, Transaction } from "../db/index.ts";
import { ProblemError } from "../api/problem-error.ts";
import { newId } from "../kernel/ids.ts";
import { noteAudit } from "../runtime/audited.ts";
import { newSecret, readRole, secretHash } from "./login.ts";
import { projectRefs } from "../projects/index.ts";
import { isMember, requireFewMembers, requireMembership, type Email, type Membership } from "./person.ts";

interface LinkRow {
  id: string;
  purpose: (typeof linkPurposes)[number];
  account_id: string | null;
  account_name: string | null;
  role: string | null;
  project_ids: string[] | null;
  email: string | null;
  operator: boolean;
  person_id: string | null;
  known: boolean;
  passkey: boolean;
  created_at: Date;
  expires_at: Date;
}

/** A link that can be used. */
export interface Link {
  readonly purpose: (typeof linkPurposes)[number];
  readonly accountId: string | null;
  readonly role: MemberRole;
  readonly projects: readonly string[] | null;
  readonly operator: boolean;
  readonly personId: string | null;
  readonly state: OneTimeLinkState;
}

/** A link that was just made. Its token is shown once; the database holds its SHA-256. */
export interface NewLink {
  readonly token: string;
  readonly record: InvitationRecord;
}

/** Where a link leads. The token stands after `#`, which browsers do not send, so that no log has it. */
export const linkAddress = (base: string, token: string) => `${base}/console/join#${token}`;

/** Invites somebody to an account. A former invitation of the e-mail address is replaced. */
export async function invite(
  tx: Transaction,
  input: {
    accountId: string;
    email: Email | null;
    role: MemberRole;
    projects?: Membership["projects"];
    operator?: boolean;
    days: number;
  },
): Promise<NewLink> {
  const { accountId, email, role, projects = null, operator = false, days } = input;
  await requireMembership(tx, accountId, { role, projects });
  if (email !== null && (await isMember(tx, accountId, email)))
    throw new ProblemError("state_conflict", `${email.text} is a member of the account already.`);
  await requireFewMembers(tx, accountId);
  await requireFewInvitations(tx, accountId);
  const token = newSecret();
  const { rows } = await tx.query<{ id: string; created_at: Date; expires_at: Date }>(
    `insert into person_links (id, sha256, purpose, account_id, role, email, email_key, operator, expires_at, project_ids)
     values ($1, $2, 'invitation', $3, $4, $5, $6, $7, now() + $8 * interval '1 day', $9)
     on conflict (account_id, email_key) do update
       set id = excluded.id, sha256 = excluded.sha256, role = excluded.role, email = excluded.email, operator = excluded.operator,
           project_ids = excluded.project_ids, created_at = now(), expires_at = excluded.expires_at
     returning id, created_at, expires_at`,
    [newId(), secretHash(token), accountId, role, email?.text ?? null, email?.key ?? null, operator, days, projects],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("an invitation was not stored");
  const record = {
    invitationId: row.id,
    email: email?.text ?? null,
    role,
    projects: projects === null ? null : (await projectRefs(tx, accountId))(projects),
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
  noteAudit({
    accountId,
    target: { type: "invitation", id: row.id },
    after: {
      ...{ email: record.email, role, operator, expiresAt: record.expiresAt },
      ...(projects === null ? {} : { projects }),
    },
  });
  return { token, record };
}

async function requireFewInvitations(tx: Transaction, accountId: string): Promise<void> {
  const { rows } = await tx.query<{ count: number }>(
    "select count(*)::int as count from person_links where account_id = $1 and expires_at > now()",
    [accountId],
  );
  if ((rows[0]?.count ?? 0) >= invitationsMax)
    throw new ProblemError(
      "state_conflict",
      `The account has ${invitationsMax} open invitations, which is the most. Withdraw some.`,
    );
}

/** Makes a link with which a person sets a new password. Former ones stop working. */
export async function makePasswordLink(tx: Transaction, personId: string, hours: number): Promise<string> {
  const token = newSecret();
  noteAudit({ target: { type: "person", id: personId } });
  await tx.query("delete from person_links where person_id = $1", [personId]);
  await tx.query(
    `insert into person_links (id, sha256, purpose, person_id, expires_at)
     values ($1, $2, 'password', $3, now() + $4 * interval '1 hour')`,
    [newId(), secretHash(token), personId, hours],
  );
  return token;
}

/** The account's open invitations, newest first. */
export async function listInvitations(db: Queryable, accountId: string): Promise<InvitationRecord[]> {
  // Index: person_links_invited.
  const { rows } = await db.query<LinkRow>(
    `select id, email, role, project_ids, created_at, expires_at from person_links
      where account_id = $1 and purpose = 'invitation' and expires_at > now() order by created_at desc, id desc`,
    [accountId],
  );
  const refs = rows.some((row) => row.project_ids !== null) ? await projectRefs(db, accountId) : () => null;
  return rows.map((row) => ({
    invitationId: row.id,
    email: row.email,
    role: readRole(row.role ?? ""),
    projects: refs(row.project_ids),
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }));
}

export async function withdraw(tx: Queryable, accountId: string, invitationId: string): Promise<void> {
  const { rowCount } = await tx.query("delete from person_links where id = $1 and account_id = $2", [
    invitationId,
    accountId,
  ]);
  if (rowCount === 0) throw new ProblemError("not_found", "There is no such invitation.");
}

/** The same for a link that never existed, was used, was withdrawn or has expired. */
const noLink = () =>
  new ProblemError("not_found", "The link does not work: it was used, withdrawn or replaced, or it has expired.");

const hashOf = (token: string | Buffer) => (typeof token === "string" ? secretHash(token) : token);

/** What a link is for, by its token or the SHA-256 of it. */
export async function findLink(db: Queryable, token: string | Buffer): Promise<Link> {
  const { rows } = await db.query<LinkRow>(
    `select k.id, k.purpose, k.account_id, a.name as account_name, k.role, k.project_ids, coalesce(p.email, k.email) as email, k.operator,
            k.person_id, k.created_at, k.expires_at,
            exists (select from persons o where o.email_key = k.email_key and o.password_hash is not null) as known,
            exists (select from persons o join passkeys y on y.person_id = o.id where o.email_key = k.email_key) as passkey
       from person_links k left join accounts a on a.id = k.account_id left join persons p on p.id = k.person_id
      where k.sha256 = $1 and k.expires_at > now()`,
    [hashOf(token)],
  );
  const [row] = rows;
  if (row === undefined) throw noLink();
  const role = readRole(row.role ?? "");
  const { purpose, account_id: accountId, operator, person_id: personId } = row;
  const state: OneTimeLinkState = {
    purpose,
    accountName: row.account_name,
    role: purpose === "invitation" ? role : null,
    email: row.email,
    known: purpose === "invitation" && row.known,
    passkey: purpose === "invitation" && row.passkey,
    expiresAt: row.expires_at.toISOString(),
  };
  return { purpose, accountId, role, projects: row.project_ids, operator, personId, state };
}

/** Uses a link up. Of two requests at the same moment, one succeeds. */
export async function useUp(tx: Transaction, token: string | Buffer): Promise<void> {
  // Locks: the link's row.
  const { rowCount } = await tx.query("delete from person_links where sha256 = $1 and expires_at > now()", [
    hashOf(token),
  ]);
  if (rowCount === 0) throw noLink();
}
