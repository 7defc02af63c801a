import { createHash, randomBytes } from "node:crypto";
import type { Scope, TokenRecord } from "@querent/contract";
import type { Queryable } from "../db/index.ts";
import { newId } from "../kernel/ids.ts";
import { secretPrefixes } from "../kernel/secret-prefixes.ts";
import { projectRefs } from "../projects/index.ts";
import { noteAudit } from "../runtime/audited.ts";

/**
 * The characters of a Bearer token (RFC 6750). Generated tokens are `qrt_` and 43 characters; the operator may set one of
 * another form.
 */
const tokenPattern = /^[A-Za-z0-9\-._~+/]{8,512}=*$/;

/** A token's text is shown once; the database holds its SHA-256. */
export interface NewToken {
  readonly tokenId: string;
  readonly token: string;
}

export interface ListedToken {
  readonly accountId: string;
  readonly accountName: string;
  readonly record: TokenRecord;
}

export function newTokenText(): string {
  return `${secretPrefixes.accessToken}${randomBytes(32).toString("base64url")}`;
}

/** True if the text has the form of a token. */
export function isTokenText(text: string): boolean {
  return tokenPattern.test(text);
}

/** SHA-256 is sufficient for 32 random bytes: a slow hash would add no protection against guessing. */
export function tokenHash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Whether the token is valid now: false if it is revoked or has expired; null if there is no such token. */
export async function isTokenUsable(db: Queryable, token: string): Promise<boolean | null> {
  const { rows } = await db.query<{ usable: boolean }>(
    "select revoked_at is null and (expires_at is null or expires_at > now()) as usable from access_tokens where sha256 = $1",
    [tokenHash(token)],
  );
  return rows[0]?.usable ?? null;
}

export async function createToken(
  db: Queryable,
  input: {
    accountId: string;
    scopes: readonly Scope[];
    name: string | null;
    expiresAt: Date | null;
    projects?: readonly string[] | null;
    token?: string;
  },
): Promise<NewToken> {
  const token = input.token ?? newTokenText();
  const tokenId = newId();
  await db.query(
    `insert into access_tokens (id, account_id, sha256, preview, name, scopes, expires_at, project_ids)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[
        tokenId,
        input.accountId,
        tokenHash(token),
        token.slice(0, 8),
        input.name,
        [...input.scopes],
        input.expiresAt,
      ],
      input.projects ?? null,
    ],
  );
  const { name, scopes, expiresAt, projects = null } = input;
  noteAudit({
    target: { type: "token", id: tokenId },
    after: { name, scopes, expiresAt, ...(projects === null ? {} : { projects }) },
  });
  return { tokenId, token };
}

export interface TokenFilter {
  readonly accountId?: string;
  readonly tokenId?: string;
  readonly limit?: number;
}

/** Lists tokens: those that are not revoked first, and the newest first among each. */
export async function listTokens(
  db: Queryable,
  { accountId, tokenId, limit }: TokenFilter = {},
): Promise<ListedToken[]> {
  // Indexes: access_tokens_account, or the primary key. Without a filter it reads all tokens, for an operator's command.
  const { rows } = await db.query<{
    id: string;
    account_id: string;
    account_name: string;
    preview: string;
    name: string | null;
    scopes: Scope[];
    project_ids: string[] | null;
    created_at: Date;
    expires_at: Date | null;
    revoked_at: Date | null;
    last_used_at: Date | null;
  }>(
    `select t.id, t.account_id, a.name as account_name, t.preview, t.name, t.scopes, t.project_ids, t.created_at, t.expires_at, t.revoked_at,
            t.last_used_at
     from access_tokens t join accounts a on a.id = t.account_id
     where ($1::uuid is null or t.account_id = $1) and ($2::uuid is null or t.id = $2)
     order by t.revoked_at is not null, t.id desc
     limit $3`,
    [accountId ?? null, tokenId ?? null, limit ?? null],
  );
  const limited = rows.filter((row) => row.project_ids !== null).map((row) => row.account_id);
  const refs = new Map<string, Awaited<ReturnType<typeof projectRefs>>>();
  for (const id of new Set(limited)) refs.set(id, await projectRefs(db, id));
  return rows.map((row) => ({
    accountId: row.account_id,
    accountName: row.account_name,
    record: {
      tokenId: row.id,
      name: row.name,
      preview: row.preview,
      scopes: row.scopes,
      projects: refs.get(row.account_id)?.(row.project_ids) ?? null,
      createdAt: row.created_at.toISOString(),
      expiresAt: row.expires_at?.toISOString() ?? null,
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
      revokedAt: row.revoked_at?.toISOString() ?? null,
    },
  }));
}

/** Revokes a token immediately; false if there is no unrevoked token with this id. */
export async function revokeToken(db: Queryable, tokenId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    "update access_tokens set revoked_at = now() where id = $1 and revoked_at is null",
    [tokenId],
  );
  return rowCount === 1;
}
