/** What the authorization server keeps, as its library asks for it: adapters between `oidc-provider` and PostgreSQL. */
import type { Adapter, AdapterPayload } from "oidc-provider";
import type { Database } from "../db/index.ts";
import { recordHash } from "./connection.ts";

/** Clients that nobody has connected yet: the newest so many are kept. */
const unconnectedMax = 5000;

export interface RecordDeps {
  readonly database: Database;
  /** Why a code or a refresh token is refused that is used twice at the same moment, or whose connection ends at that moment. */
  readonly usedMeanwhile: () => Error;
  /** Ends a connection, with its entry in the audit log. */
  readonly end: (connectionId: string) => Promise<void>;
}

/** Returns the adapter of a kind of records. */
export function recordAdapter(kind: string, deps: RecordDeps): Adapter {
  if (kind === "Client") return clients(deps);
  if (kind === "Grant") return grants(deps);
  // Who is signed in is decided by the console's login at each request to connect. The library's own session is never kept.
  if (kind === "Session") return nothing;
  return records(kind, deps);
}

/** Keeps nothing, and finds nothing. */
const nothing: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};

/** Requests to connect, codes, access tokens and refresh tokens. */
function records(kind: string, { database, usedMeanwhile }: RecordDeps): Adapter {
  return {
    ...nothing,
    upsert: async (id, payload, expiresIn) => {
      if (expiresIn === undefined) throw new Error(`a record of the kind ${kind} would be kept for ever`);
      // The secret by which the record is found stands in two members.
      const { jti: _secret, returnTo, ...kept } = payload;
      const stored = returnTo === undefined ? kept : { ...kept, returnTo: returnTo.slice(0, -id.length) };
      // Locks: the connection's row, so that it does not end meanwhile. One that has ended is issued nothing.
      const { rowCount } = await database.query(
        `insert into authorization_records (kind, sha256, connection_id, payload, expires_at)
         select $1, $2, $3::uuid, $4, now() + $5 * interval '1 second'
          where $3::uuid is null or exists (select from connections where id = $3 for key share)
         on conflict (kind, sha256) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
        [kind, recordHash(id), payload.grantId ?? null, JSON.stringify(stored), expiresIn],
      );
      if (rowCount === 0) throw usedMeanwhile();
    },
    find: async (id) => {
      // Index: the primary key.
      const { rows } = await database.query<{ payload: AdapterPayload; consumed: number | null }>(
        `select payload, extract(epoch from consumed_at)::int as consumed from authorization_records
          where kind = $1 and sha256 = $2 and expires_at > now()`,
        [kind, recordHash(id)],
      );
      const row = rows[0];
      if (row === undefined) return undefined;
      const { returnTo } = row.payload;
      return {
        ...row.payload,
        jti: id,
        ...(returnTo === undefined ? {} : { returnTo: `${returnTo}${id}` }),
        ...(row.consumed === null ? {} : { consumed: row.consumed }),
      };
    },
    consume: async (id) => {
      // Locks: the record's row, so that of two requests at the same moment one is refused. A second use is noticed for a week.
      const { rowCount } = await database.query(
        `update authorization_records set consumed_at = now(), expires_at = least(expires_at, now() + interval '7 days')
          where kind = $1 and sha256 = $2 and consumed_at is null`,
        [kind, recordHash(id)],
      );
      if (rowCount === 0) throw usedMeanwhile();
    },
    destroy: async (id) => {
      await database.query("delete from authorization_records where kind = $1 and sha256 = $2", [kind, recordHash(id)]);
    },
    revokeByGrantId: async (connectionId) => {
      // Index: authorization_records_connection.
      await database.query("delete from authorization_records where kind = $1 and connection_id = $2", [
        kind,
        connectionId,
      ]);
    },
  };
}

/** A grant is a connection. The person's decision makes it; the library reads it and ends it. */
function grants({ database, end }: RecordDeps): Adapter {
  return {
    ...nothing,
    upsert: async () => {
      throw new Error("a connection is made by the decision of a person alone");
    },
    find: async (id) => {
      const { rows } = await database.query<{
        member_id: string;
        client_id: string;
        resource: string;
        scopes: string[];
        created: number;
      }>(
        `select m.id as member_id, c.client_id, c.resource, c.scopes, extract(epoch from c.created_at)::int as created
           from connections c join members m on m.account_id = c.account_id and m.person_id = c.person_id where c.id = $1`,
        [id],
      );
      const row = rows[0];
      if (row === undefined) return undefined;
      const resources = { [row.resource]: row.scopes.join(" ") };
      const of = { iat: row.created, accountId: row.member_id, clientId: row.client_id };
      return { jti: id, kind: "Grant", ...of, resources };
    },
    destroy: end,
  };
}

/** Clients that registered themselves. */
function clients({ database }: RecordDeps): Adapter {
  return {
    ...nothing,
    upsert: async (id, metadata) => {
      await database.query(
        "insert into assistant_clients (id, metadata, expires_at) values ($1, $2, now() + interval '1 day')",
        [id, JSON.stringify(metadata)],
      );
      // Registering needs no login, so those that nobody has connected give way to newer ones. Index: assistant_clients_expiry.
      await database.query(
        `delete from assistant_clients where id in (
           select id from assistant_clients where expires_at <= now() + interval '1 day' order by expires_at desc offset $1)`,
        [unconnectedMax],
      );
    },
    find: async (id) => {
      const { rows } = await database.query<{ metadata: AdapterPayload }>(
        "select metadata from assistant_clients where id = $1",
        [id],
      );
      return rows[0]?.metadata;
    },
  };
}
