/** Connections: assistants to which a person has given access to an account, by signing in (OAuth 2.1). */
import { createHash } from "node:crypto";
import {
  assistantScopes,
  connectionsMax,
  memberRoles,
  withIncluded,
  type AssistantScope,
  type ConnectionRecord,
} from "@querent/contract";
import { isConnectionToken, type Caller } from "../api/route.ts";
import { oneOf, unlessReadOnly, type Database, type Queryable, type Transaction } from "../db/index.ts";
import { limitedScopes } from "../projects/index.ts";
import { noteAudit } from "../runtime/audited.ts";
import { Batcher } from "../runtime/batcher.ts";
import { clientHostOf, shownName, redirectOf } from "./assistant-client.ts";
import { readRole } from "./login.ts";

/** What the authorization server finds codes and tokens by. SHA-256 is sufficient for texts that are 32 random bytes. */
export const recordHash = (id: string) => createHash("sha256").update(id).digest();

interface CallerRow {
  sha256: Buffer;
  id: string;
  account_id: string;
  account_name: string;
  person_id: string;
  email: string;
  member_id: string;
  role: string;
  project_ids: string[] | null;
  client_name: string;
  scope: string | null;
  used_lately: boolean;
}

/**
 * Returns the function that finds whose connection a token is of; null if there is none. It is called for every request with such a token
 * and remembers nothing, so that the end of a connection, another role and a removal take effect immediately in every process.
 */
export function connectionAuthenticator(db: Queryable): (token: string) => Promise<Caller | null> {
  const lookups = new Batcher<Buffer, Caller | null>({
    delayMs: 0,
    itemsMax: 500,
    concurrency: 2,
    write: (hashes) => findCallers(db, hashes),
  });
  return async (token) => (isConnectionToken(token) ? lookups.add(recordHash(token)) : null);
}

async function findCallers(db: Queryable, hashes: readonly Buffer[]): Promise<(Caller | null)[]> {
  const keys = hashes.map((hash) => hash.toString("hex"));
  const wanted = oneOf(
    "r.sha256",
    "$1",
    [...new Set(keys)].map((key) => Buffer.from(key, "hex")),
  );
  // The time of last use is written at most once a minute. Indexes: the primary and unique keys.
  const { rows } = await db.query<CallerRow>({
    name: `authenticate connection, ${wanted.form}`,
    text: `select r.sha256, c.id, c.account_id, a.name as account_name, c.person_id, p.email, m.id as member_id, m.role, m.project_ids,
                  c.client_name, r.payload->>'scope' as scope,
                  coalesce(c.last_used_at > now() - interval '1 minute', false) as used_lately
             from authorization_records r
             join connections c on c.id = r.connection_id
             join members m on m.account_id = c.account_id and m.person_id = c.person_id
             join persons p on p.id = c.person_id
             join accounts a on a.id = c.account_id
            where r.kind = 'AccessToken' and ${wanted.condition} and r.expires_at > now()
              and r.payload->>'aud' = c.resource`,
    values: [wanted.value],
  });
  const unused = [...new Set(rows.filter((row) => !row.used_lately).map((row) => row.id))];
  if (unused.length > 0)
    // Locks: the connections' rows. Those that another lookup is about to write are skipped: it writes the same.
    await db
      .query(
        `update connections set last_used_at = now()
        where id in (select id from connections where id = any($1::uuid[])
                        and (last_used_at is null or last_used_at < now() - interval '1 minute') for no key update skip locked)`,
        [unused],
      )
      .catch(unlessReadOnly);
  const callers = new Map(rows.map((row) => [row.sha256.toString("hex"), callerOf(row)]));
  return keys.map((key) => callers.get(key) ?? null);
}

function callerOf(row: CallerRow): Caller {
  const allowed = allowedScopes(row.role, row.project_ids);
  const given = new Set(row.scope?.split(" "));
  return {
    accountId: row.account_id,
    accountName: row.account_name,
    name: `${row.email} (${row.client_name})`,
    tokenId: row.member_id,
    accessId: row.id,
    scopes: allowed.filter((scope) => given.has(scope)),
    projects: row.project_ids,
    person: {
      personId: row.person_id,
      loginId: row.id,
      memberId: row.member_id,
      role: readRole(row.role),
      // It was given by a login that had shown what the account requires: all earlier connections end with the requirement.
      needsFactor: false,
    },
    connection: { allowed },
  };
}

/** What a member can give an assistant. A role that this version does not know gives nothing. */
export function allowedScopes(role: string, projects: readonly string[] | null): readonly AssistantScope[] {
  const known = readRole(role) === role ? memberRoles[readRole(role)].scopes : [];
  const held = withIncluded(limitedScopes(known, projects));
  return assistantScopes.filter((scope) => held.includes(scope));
}

/** Returns the connections among these that have not ended, for work that continues after its request was authenticated. */
export async function validConnections(db: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> {
  // Index: the primary key.
  const { rows } = await db.query<{ id: string }>({
    name: "valid connections",
    text: "select id from connections where id = any($1::uuid[])",
    values: [ids],
  });
  return new Set(rows.map(({ id }) => id));
}

export interface NewConnection {
  readonly id: string;
  readonly accountId: string;
  readonly personId: string;
  readonly clientId: string;
  readonly clientName: string;
  /** A client that registered itself is one installation: its new connection takes the place of its former one. */
  readonly isRegistered: boolean;
  readonly redirectUri: string;
  readonly resource: string;
  readonly scopes: readonly AssistantScope[];
}

/** Keeps that a person has connected an assistant. Nothing is issued for it yet. */
export async function addConnection(tx: Transaction, input: NewConnection): Promise<void> {
  const { id, accountId, personId, clientId, clientName, isRegistered, redirectUri, resource, scopes } = input;
  if (isRegistered) {
    await tx.query("delete from connections where account_id = $1 and person_id = $2 and client_id = $3", [
      accountId,
      personId,
      clientId,
    ]);
    // Locks: the client's row, for which a removal of expired clients waits or which it has deleted.
    const { rowCount } = await tx.query(
      "update assistant_clients set expires_at = now() + interval '90 days' where id = $1",
      [clientId],
    );
    if (rowCount === 0) throw new Error("a client was forgotten while it was being connected");
  }
  await tx.query(
    `insert into connections (id, account_id, person_id, client_id, client_name, redirect_uri, resource, scopes)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, accountId, personId, clientId, clientName, redirectUri, resource, [...scopes]],
  );
  // Index: connections_member.
  await tx.query(
    `delete from connections where id in (
       select id from connections where account_id = $1 and person_id = $2
        order by coalesce(last_used_at, created_at) desc, id desc offset $3)`,
    [accountId, personId, connectionsMax],
  );
  noteAudit({
    target: { type: "connection", id },
    after: { client: clientName, clientId: clientId.slice(0, 300), redirectHost: redirectOf(redirectUri).host, scopes },
  });
}

export interface ConnectionFilter {
  readonly accountId?: string;
  readonly personId?: string;
}

const listedMax = 500;

/** The connections of an account or of a person, newest first. */
export async function listConnections(
  db: Queryable,
  { accountId, personId }: ConnectionFilter,
): Promise<ConnectionRecord[]> {
  // Indexes: connections_member or connections_person.
  const { rows } = await db.query<{
    id: string;
    account_id: string;
    account_name: string;
    member_id: string;
    email: string;
    client_id: string;
    client_name: string;
    redirect_uri: string;
    scopes: AssistantScope[];
    created_at: Date;
    last_used_at: Date | null;
  }>(
    `select c.id, c.account_id, a.name as account_name, m.id as member_id, p.email, c.client_id, c.client_name, c.redirect_uri,
            c.scopes, c.created_at, c.last_used_at
       from connections c
       join members m on m.account_id = c.account_id and m.person_id = c.person_id
       join persons p on p.id = c.person_id
       join accounts a on a.id = c.account_id
      where ($1::uuid is null or c.account_id = $1) and ($2::uuid is null or c.person_id = $2)
      order by c.created_at desc, c.id desc limit $3`,
    [accountId ?? null, personId ?? null, listedMax],
  );
  return rows.map((row) => ({
    connectionId: row.id,
    accountId: row.account_id,
    accountName: row.account_name,
    memberId: row.member_id,
    email: row.email,
    client: { name: shownName(row.client_name), host: clientHostOf(row.client_id) },
    redirectHost: redirectOf(row.redirect_uri).host,
    scopes: row.scopes,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }));
}

/** Ends a connection with all that was issued for it; false if there is none. */
export async function endConnection(
  db: Queryable,
  { connectionId, accountId, personId }: ConnectionFilter & { readonly connectionId: string },
  reason?: string,
): Promise<boolean> {
  // Index: the primary key. Its codes and tokens are deleted with it.
  const { rows } = await db.query<{ account_id: string; client_name: string; scopes: string[] }>(
    `delete from connections where id = $1 and ($2::uuid is null or account_id = $2) and ($3::uuid is null or person_id = $3)
     returning account_id, client_name, scopes`,
    [connectionId, accountId ?? null, personId ?? null],
  );
  const ended = rows[0];
  if (ended === undefined) return false;
  noteAudit({
    accountId: ended.account_id,
    target: { type: "connection", id: connectionId },
    before: { client: ended.client_name, scopes: ended.scopes },
    after: reason === undefined ? null : { reason },
  });
  return true;
}

/** Ends all connections of a person, or of an account; returns how many there were. */
export async function endConnectionsOf(
  tx: Transaction,
  of: { readonly personId: string } | { readonly accountId: string },
): Promise<number> {
  // Indexes: connections_person or connections_member.
  const [column, id] = "personId" in of ? ["person_id", of.personId] : ["account_id", of.accountId];
  const { rowCount } = await tx.query(`delete from connections where ${column} = $1`, [id]);
  return rowCount ?? 0;
}

/** Deletes what the authorization server has kept for long enough, and connections for which nothing is valid any more. */
export async function forgetConnections(database: Database): Promise<void> {
  // Index: authorization_records_expiry.
  await database.query("delete from authorization_records where expires_at < now()");
  // A code is exchanged within a minute. Index: authorization_records_connection.
  await database.query(
    `delete from connections c where created_at < now() - interval '1 hour'
        and not exists (select from authorization_records r where r.connection_id = c.id)`,
  );
  // Indexes: assistant_clients_expiry, connections_client.
  await database.query(
    `delete from assistant_clients a where expires_at < now()
        and not exists (select from connections c where c.client_id = a.id)`,
  );
}
