import { BootError, errno } from "./boot-error.ts";
import type { Database } from "./pool.ts";

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there. Start PostgreSQL, or put the right host and port into DATABASE_URL",
  ENOTFOUND: "the name of the host is not known. Put the right one into DATABASE_URL",
  EAI_AGAIN: "the name of the host could not be looked up. Try again, or look at this machine's DNS",
  EHOSTUNREACH: "the host is unreachable. Check the network and the host in DATABASE_URL",
  ENETUNREACH: "the host is unreachable. Check the network and the host in DATABASE_URL",
  ETIMEDOUT: "it does not answer. Look at the network and at the host and port in DATABASE_URL",
  ECONNRESET: "it hung up. Look at its log, and at the host and port in DATABASE_URL",
  "28P01": "it refuses the password. Put the right user and password into DATABASE_URL",
  "28000": "it refuses the user. Look at DATABASE_URL and at the server's pg_hba.conf",
  "3D000": "it has no such database. Make it with `createdb`, or name another in DATABASE_URL",
  "53300": "it has no connection left. Raise its max_connections, or lower QUERENT_DATABASE_CONNECTIONS",
  "57P03": "it is starting up. Try again in a moment",
};

/**
 * Connects to the operator's server, or throws one sentence that says why this is not possible. The URL's password is never
 * repeated.
 */
export async function requireServer(database: Database, databaseUrl: string): Promise<void> {
  try {
    await database.query("select 1");
  } catch (error) {
    // If a name has several addresses, each has an error of its own.
    const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
    const reason =
      reasons[errno(first) ?? errno(error) ?? ""] ??
      `${first instanceof Error ? first.message : String(first)}. Look at DATABASE_URL and at the server's log`;
    const url = URL.parse(databaseUrl);
    const where = url === null || url.host === "" ? "that DATABASE_URL names" : `at ${url.host}`;
    throw new BootError(`Can't use the PostgreSQL server ${where}: ${reason}. Nothing was started.`, error);
  }
}
