import { createHash, randomBytes } from "node:crypto";
import type { Scope } from "@querent/contract";
import type { Queryable } from "../db/index.ts";
import { newId } from "../kernel/ids.ts";

/** A Bearer token's characters (RFC 6750). Tokens of ours are `qrt_` and 43 characters; the operator may set one of another form. */
const tokenPattern = /^[A-Za-z0-9\-._~+/]{8,512}=*$/;

/** A token's text is shown once; the database holds its SHA-256. */
export interface NewToken {
  readonly tokenId: string;
  readonly token: string;
}

export interface TokenRow {
  readonly tokenId: string;
  readonly accountName: string;
  readonly preview: string;
  readonly name: string | null;
  readonly scopes: Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

export function newTokenText(): string {
  return `qrt_${randomBytes(32).toString("base64url")}`;
}

/** True when the text may be a token at all. */
export function isTokenText(text: string): boolean {
  return tokenPattern.test(text);
}

/** SHA-256 is enough for 32 random bytes: there is nothing to guess that a slow hash would protect. */
export function tokenHash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

export async function createToken(
  db: Queryable,
  input: { accountId: string; scopes: readonly Scope[]; name: string | null; expiresAt: Date | null; token?: string },
): Promise<NewToken> {
  const token = input.token ?? newTokenText();
  const tokenId = newId();
  await db.query(
    `insert into access_tokens (id, account_id, sha256, preview, name, scopes, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [tokenId, input.accountId, tokenHash(token), token.slice(0, 8), input.name, [...input.scopes], input.expiresAt],
  );
  return { tokenId, token };
}

export async function listTokens(db: Queryable, accountName: string | null): Promise<TokenRow[]> {
  const { rows } = await db.query<TokenRow & Record<string, unknown>>(
    `select t.id as "tokenId", a.name as "accountName", t.preview, t.name, t.scopes, t.created_at as "createdAt",
            t.expires_at as "expiresAt", t.revoked_at as "revokedAt", t.last_used_at as "lastUsedAt"
     from access_tokens t join accounts a on a.id = t.account_id
     where $1::text is null or a.name = $1
     order by t.id`,
    [accountName],
  );
  return rows;
}

/** Revokes a token at once. False: there is none with this id that was not revoked before. */
export async function revokeToken(db: Queryable, tokenId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    "update access_tokens set revoked_at = now() where id = $1 and revoked_at is null",
    [tokenId],
  );
  return rowCount === 1;
}
