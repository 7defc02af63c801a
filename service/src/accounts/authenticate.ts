import { withIncluded, api, type Scope, type TokenRequest } from "@querent/contract";
import { byteaArray, type Queryable, type Database } from "../db/index.ts";
import { route, type Caller, type Route, type RouteReply } from "../api/route.ts";
import { Batcher } from "../runtime/batcher.ts";
import { isTokenText, tokenHash, createToken, listTokens, revokeToken } from "./access-token.ts";
import { changedBy, type OnChange } from "../kernel/change-event.ts";
import { ProblemError } from "../api/problem-error.ts";

/** The maximum of tokens that one statement looks up, and of such statements at once. */
const tokensMax = 500;
const lookupsMax = 2;

interface TokenRow {
  sha256: Buffer;
  id: string;
  account_id: string;
  account_name: string;
  scopes: Scope[];
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
    text: `select t.sha256, t.id, t.account_id, a.name as account_name, t.scopes,
                  coalesce(t.last_used_at > now() - interval '1 minute', false) as used_lately
           from access_tokens t join accounts a on a.id = t.account_id
           where t.sha256 = any($1::bytea[]) and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())`,
    values: [byteaArray([...new Set(keys)].map((key) => Buffer.from(key, "hex")))],
  });
  const unused = rows.filter((row) => !row.used_lately).map((row) => row.id);
  if (unused.length > 0) {
    // Locks: the tokens' rows. Those that another lookup is about to write are skipped: it writes the same.
    await db.query(
      `update access_tokens set last_used_at = now()
       where id in (select id from access_tokens where id = any($1::uuid[])
                     and (last_used_at is null or last_used_at < now() - interval '1 minute') for no key update skip locked)`,
      [unused],
    );
  }
  const callers = new Map(
    rows.map(({ sha256, account_id: accountId, account_name: accountName, id: tokenId, scopes }) => [
      sha256.toString("hex"),
      { accountId, accountName, tokenId, accessId: tokenId, scopes: withIncluded(scopes), person: null },
    ]),
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

export interface TokenRouteDeps {
  readonly database: Database;
  readonly onChange: OnChange;
}

const listedMax = 500;

/** Tokens of the caller's own account and, for operators, those of all accounts. */
export function tokenRoutes(deps: TokenRouteDeps): Route[] {
  return [
    route(api.listTokens, ({ caller }) => list(deps, caller.accountId)),
    route(api.issueToken, ({ caller, body }) => issue(deps, caller, caller.accountId, body)),
    route(api.revokeToken, ({ caller, params }) => revoke(deps, caller, params.token_id, caller.accountId)),
    route(api.listAccountTokens, async ({ params }) => {
      await requireAccount(deps, params.account_id);
      return list(deps, params.account_id);
    }),
    route(api.issueAccountToken, async ({ caller, params, body }) => {
      await requireAccount(deps, params.account_id);
      return issue(deps, caller, params.account_id, body);
    }),
    route(api.revokeAnyToken, ({ caller, params }) => revoke(deps, caller, params.token_id, null)),
  ];
}

async function list({ database }: TokenRouteDeps, accountId: string): Promise<RouteReply> {
  const rows = await listTokens(database, { accountId, limit: listedMax });
  return { status: 200, body: { tokens: rows.map(({ record }) => record) } };
}

async function issue(
  { database, onChange }: TokenRouteDeps,
  caller: Caller,
  accountId: string,
  { name, scopes, expiresAt = null }: TokenRequest,
): Promise<RouteReply> {
  const beyond = caller.scopes.includes("admin") ? [] : scopes.filter((scope) => !caller.scopes.includes(scope));
  if (beyond.length > 0)
    throw new ProblemError(
      "scope_missing",
      `A token may have the scopes of who issues it, and no others: not ${beyond.map((scope) => `\`${scope}\``).join(", ")}.`,
    );
  const until = expiresAt === null ? null : new Date(expiresAt);
  if (until !== null && until.getTime() <= Date.now()) {
    throw new ProblemError("validation_failed", "The body is not valid.", {
      errors: [{ pointer: "/expiresAt", code: "not_allowed", detail: "It has to be in the future." }],
    });
  }
  const { token, tokenId } = await createToken(database, { accountId, scopes, name, expiresAt: until });
  onChange({ event: "token.issued", tokenId, accountId, scopes, by: changedBy(caller) });
  const [row] = await listTokens(database, { tokenId });
  if (row === undefined) throw new Error(`token ${tokenId} is gone`);
  return { status: 201, headers: { "cache-control": "no-store" }, body: { token, record: row.record } };
}

/** @param accountId the account whose token it has to be; null for an operator, who may revoke any */
async function revoke(
  { database, onChange }: TokenRouteDeps,
  caller: Caller,
  tokenId: string,
  accountId: string | null,
): Promise<RouteReply> {
  const [known] = await listTokens(database, { tokenId });
  if (known === undefined || (accountId !== null && known.accountId !== accountId))
    throw new ProblemError("not_found", "There is no such token.");
  if (await revokeToken(database, tokenId))
    onChange({ event: "token.revoked", tokenId, accountId: known.accountId, by: changedBy(caller) });
  const [row] = await listTokens(database, { tokenId });
  return { status: 200, body: (row ?? known).record };
}

async function requireAccount({ database }: TokenRouteDeps, accountId: string): Promise<void> {
  const { rowCount } = await database.query("select from accounts where id = $1", [accountId]);
  if (rowCount === 0) throw new ProblemError("not_found", "There is no such account.");
}
