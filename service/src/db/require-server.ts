import { BootError, errno } from "./boot-error.ts";
import type { Database, Queryable } from "./pool.ts";
import { NoConnectionLeftError } from "./session.ts";

/** The operator's server, as the configuration names it. */
export interface ServerAddresses {
  readonly databaseUrl: string;
  /** The server itself, if `databaseUrl` leads to a pooler. */
  readonly directUrl: string | null;
}

const unknownAuthority =
  "its certificate is from an authority that is not known here. Name a PEM file with the authority's certificate in QUERENT_DATABASE_CA";

/** `$1` is the variable that names the server. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there. Start PostgreSQL, or put the right host and port into $1",
  ENOTFOUND: "the name of the host is not known. Put the right one into $1",
  EAI_AGAIN: "the name of the host could not be looked up. Try again, or look at this machine's DNS",
  EHOSTUNREACH: "the host is unreachable. Check the network and the host in $1",
  ENETUNREACH: "the host is unreachable. Check the network and the host in $1",
  ETIMEDOUT: "it does not answer. Look at the network and at the host and port in $1",
  ECONNRESET: "it hung up. Look at its log, and at the host and port in $1",
  "28P01": "it refuses the password. Put the right user and password into $1",
  "28000": "it refuses the user. Look at $1 and at the server's pg_hba.conf",
  "3D000": "it has no such database. Make it with `createdb`, or name another in $1",
  "53300": "it has no connection left. Raise its max_connections, or lower QUERENT_DATABASE_CONNECTIONS",
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host. Put the name that the certificate is for into $1",
  CERT_HAS_EXPIRED: "its certificate has expired. Renew it",
  "57P03": "it is starting up. Try again in a moment",
};

const whySession =
  "Querent listens for notifications and holds locks and the leases of its workers in sessions of its own, which a connection pooler that pools transactions does not give";

/**
 * Connects to the operator's server, or throws one sentence that says why this is not possible. The URL's password is never
 * repeated. A pooler is recognized before anything relies on a session that it doesn't give.
 */
export async function requireServer(database: Database, { databaseUrl, directUrl }: ServerAddresses): Promise<void> {
  const sessionVariable = directUrl === null ? "DATABASE_URL" : "QUERENT_DATABASE_DIRECT_URL";
  await explained(sessionVariable, directUrl ?? databaseUrl, async () => {
    if (await database.isSession()) return;
    throw new BootError(
      directUrl === null
        ? `DATABASE_URL leads to a connection pooler that pools transactions. ${whySession}. Set QUERENT_DATABASE_DIRECT_URL to the address of the PostgreSQL server itself, beside DATABASE_URL, or set DATABASE_URL to it. Nothing was started.`
        : `QUERENT_DATABASE_DIRECT_URL leads to a connection pooler that pools transactions. ${whySession}. Set it to the address of the PostgreSQL server itself. Nothing was started.`,
    );
  });
  await explained("DATABASE_URL", databaseUrl, async () => {
    if (directUrl !== null) await database.requireTransactions();
    const pooled = await identify(database);
    if (directUrl === null) return;
    const client = await database.connect({ timeoutMs: 10_000 });
    const direct = await identify(client).finally(() => void client.end());
    if (pooled !== direct)
      throw new BootError(
        "DATABASE_URL and QUERENT_DATABASE_DIRECT_URL lead to different databases or servers. Both must lead to the same database of the same server. Nothing was started.",
      );
  });
}

/** The same for every connection to a database of a running server. */
async function identify(database: Queryable): Promise<string | undefined> {
  const { rows } = await database.query<{ identity: string }>(
    `select format('%s of the server started %s', d.oid, extract(epoch from pg_postmaster_start_time())) as identity
       from pg_database d where d.datname = current_database()`,
  );
  return rows[0]?.identity;
}

async function explained(variable: string, address: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof BootError) throw error;
    const url = URL.parse(address);
    const where = url === null || url.host === "" ? `that ${variable} names` : `at ${url.host}`;
    throw new BootError(
      `Can't use the PostgreSQL server ${where}: ${reasonOf(error, variable)}. Nothing was started.`,
      error,
    );
  }
}

function reasonOf(error: unknown, variable: string): string {
  // If a name has several addresses, each has an error of its own.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const known = reasons[errno(first) ?? errno(error) ?? ""];
  if (known !== undefined) return known.replaceAll("$1", variable);
  const message = first instanceof Error ? first.message : String(first);
  if (error instanceof NoConnectionLeftError)
    return `${message}. Raise its limits of connections, such as default_pool_size of PgBouncer, or max_connections of PostgreSQL`;
  if (/statement pooling/i.test(message))
    return `${message}. Set pool_mode of PgBouncer to transaction: Querent needs transactions`;
  return `${message.replace(/\.$/, "")}. Look at ${variable} and at the server's log`;
}
