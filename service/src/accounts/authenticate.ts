import { withIncluded, type Scope } from "@querent/contract";
import { byteaArray, unlessReadOnly, type Queryable } from "../db/index.ts";
import type { Caller } from "../api/route.ts";
import { Batcher } from "../runtime/batcher.ts";
import { limitedScopes } from "../projects/index.ts";
import { isTokenText, tokenHash } from "./access-token.ts";

/** The maximum of tokens that one statement looks up, and of such statements at once. */
const tokensMax = 500;
const lookupsMax = 2;

interface TokenRow {
  sha256: Buffer;
  id: string;
  account_id: string;
  account_name: string;
  name: string | null;
  scopes: Scope[];
  project_ids: string[] | null;
  used_lately: boolean;
}

/**
 * Returns the function that finds the account of a token; null if the token is unknown, revoked or expired. It is called for
 * every request and remembers nothing, so that a revocation takes effect immediately in every process. Requests that arrive
 * during two lookups share the next one: a caller that sends thousands at once takes two connections to the database, and the
 * work of other accounts does not queue behind them.
 */
export function authenticator(db: Queryable): (token: string) => Promise<Caller | null> {
  const lookups = new Batcher<Buffer, Caller | null>({
    delayMs: 0,
    itemsMax: tokensMax,
    concurrency: lookupsMax,
    write: (hashes) => findCallers(db, hashes),
  });
  return async (token) => (isTokenText(token) ? lookups.add(tokenHash(token)) : null);
}

async function findCallers(db: Queryable, hashes: readonly Buffer[]): Promise<(Caller | null)[]> {
  const keys = hashes.map((hash) => hash.toString("hex"));
  // The time of last use is written at most once a minute, by the statement that reads. Index:
  // access_tokens_sha256_key.
  const { rows } = await db.query<TokenRow>({
    name: "authenticate",
    text: `select t.sha256, t.id, t.account_id, a.name as account_name, t.name, t.scopes, t.project_ids,
                  coalesce(t.last_used_at > now() - interval '1 minute', false) as used_lately
           from access_tokens t join accounts a on a.id = t.account_id
           where t.sha256 = any($1::bytea[]) and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())`,
    values: [byteaArray([...new Set(keys)].map((key) => Buffer.from(key, "hex")))],
  });
  const unused = rows.filter((row) => !row.used_lately).map((row) => row.id);
  if (unused.length > 0) {
    // Locks: the tokens' rows. Those that another lookup is about to write are skipped: it writes the same.
    await db
      .query(
        `update access_tokens set last_used_at = now()
       where id in (select id from access_tokens where id = any($1::uuid[])
                     and (last_used_at is null or last_used_at < now() - interval '1 minute') for no key update skip locked)`,
        [unused],
      )
      .catch(unlessReadOnly);
  }
  const callers = new Map(
    rows.map(
      ({
        sha256,
        account_id: accountId,
        account_name: accountName,
        name,
        id: tokenId,
        scopes,
        project_ids: projects,
      }) => [
        sha256.toString("hex"),
        {
          ...{ accountId, accountName, name, tokenId, accessId: tokenId, projects, person: null },
          scopes: withIncluded(limitedScopes(scopes, projects)),
        },
      ],
    ),
  );
  return keys.map((key) => callers.get(key) ?? null);
}

/**
 * Returns the tokens among these that are neither revoked nor expired, for work that continues after its request was
 * authenticated.
 */
export async function validTokens(database: Queryable, tokenIds: readonly string[]): Promise<ReadonlySet<string>> {
  // Index: the primary key.
  const { rows } = await database.query<{ id: string }>({
    name: "valid tokens",
    text: `select id from access_tokens
           where id = any($1::uuid[]) and revoked_at is null and (expires_at is null or expires_at > now())`,
    values: [tokenIds],
  });
  return new Set(rows.map(({ id }) => id));
}
