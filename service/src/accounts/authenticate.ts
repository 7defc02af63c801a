import type { Scope } from "@querent/contract";
import type { Database } from "../db/index.ts";
import type { Caller } from "../api/route.ts";
import { isTokenText, tokenHash } from "./access-token.ts";

/**
 * The account that a token belongs to, or null if it is unknown, revoked or expired. Called for every request, so that a
 * revocation takes effect immediately in every process.
 */
export async function authenticate(database: Database, token: string): Promise<Caller | null> {
  if (!isTokenText(token)) return null;
  // The time of last use is written at most once a minute, by the statement that reads.
  const { rows } = await database.query<{
    id: string;
    account_id: string;
    account_name: string;
    scopes: Scope[];
    used_lately: boolean;
  }>({
    name: "authenticate",
    text: `select t.id, t.account_id, a.name as account_name, t.scopes,
                  coalesce(t.last_used_at > now() - interval '1 minute', false) as used_lately
           from access_tokens t join accounts a on a.id = t.account_id
           where t.sha256 = $1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())`,
    values: [tokenHash(token)],
  });
  const row = rows[0];
  if (row === undefined) return null;
  if (!row.used_lately) {
    await database.query(
      `update access_tokens set last_used_at = now()
       where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
      [row.id],
    );
  }
  return { accountId: row.account_id, accountName: row.account_name, tokenId: row.id, scopes: row.scopes };
}

/**
 * Returns the tokens among these that are neither revoked nor expired, for work that continues after its request was
 * authenticated.
 */
export async function validTokens(database: Database, tokenIds: readonly string[]): Promise<ReadonlySet<string>> {
  // Index: the primary key.
  const { rows } = await database.query<{ id: string }>({
    name: "valid tokens",
    text: `select id from access_tokens
           where id = any($1::uuid[]) and revoked_at is null and (expires_at is null or expires_at > now())`,
    values: [tokenIds],
  });
  return new Set(rows.map(({ id }) => id));
}
