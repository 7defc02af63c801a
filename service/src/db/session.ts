import pg from "pg";
import { readFileSync } from "node:fs";
import { BootError } from "./boot-error.ts";

interface SessionLimits {
  /** The server cancels a statement that runs longer; 0: never. */
  readonly statementTimeoutMs: number;
}

/** A process that is stopped in the middle of a transaction holds its locks: this is shorter than a node's lease. */
const idleInTransactionMs = 10_000;

/**
 * Makes a new connection a session with our settings, in one round trip. They are not start-up parameters, because PgBouncer
 * refuses the ones that it doesn't know, or ignores them.
 *
 * `jit` is off because compilation pays off only for statements that take seconds. Ours take milliseconds, but the estimated cost of
 * some is above `jit_above_cost`, and a server with a compiler, such as Debian's, then compiled for 0.8 s.
 */
export async function setUpSession(client: pg.ClientBase, { statementTimeoutMs }: SessionLimits): Promise<void> {
  await client.query(
    `set statement_timeout = ${statementTimeoutMs}; set idle_in_transaction_session_timeout = ${idleInTransactionMs};
     set timezone = 'UTC'; set default_transaction_isolation = 'read committed'; set jit = off`,
  );
}

/** The same for one transaction, where each may have another connection of a pooler. In place of `begin`. */
export const beginWithSettings = ({ statementTimeoutMs }: SessionLimits): string =>
  `begin isolation level read committed; set local statement_timeout = ${statementTimeoutMs};
   set local idle_in_transaction_session_timeout = ${idleInTransactionMs}; set local timezone = 'UTC';
   set local jit = off`;

/** A connection outside the pool, without any settings. The caller ends it. */
export async function openClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config);
  // Set before the caller can listen; any later statement on it fails.
  client.on("error", () => {});
  await client.connect();
  return client;
}

const replyMsMax = 2_000;
const rounds = 3;

/**
 * True if each of these connections is a session of its own. False: between them and PostgreSQL, a pooler gives each
 * transaction the connection that is free (transaction pooling). `connect` returns a connection without any settings, which
 * such a pooler would hand on to others.
 */
export async function isSession(connect: () => Promise<pg.Client>): Promise<boolean> {
  const one = await connect();
  try {
    const pid = await backendPid(one);
    // A pooler makes up the process id that it tells at the start.
    if ("processID" in one && one.processID === pid) return true;
    for (let round = 0; round < rounds; round++) {
      const other = await connect();
      try {
        // Takes the connection that the first one used last, unless that is a session of its own.
        await limited(other.query("begin"));
        if ((await backendPid(other)) === pid || (await backendPid(one)) !== pid) return false;
      } finally {
        await other.end();
      }
    }
    return true;
  } finally {
    await one.end();
  }
}

async function backendPid(client: pg.Client): Promise<number | undefined> {
  const { rows } = await limited(client.query<{ pid: number }>("select pg_backend_pid() as pid"));
  return rows[0]?.pid;
}

/** A pooler that has no connection left for a statement lets it wait. */
function limited<Result>(statement: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new NoConnectionLeftError()), replyMsMax);
  return Promise.race([statement, promise]).finally(() => clearTimeout(timer));
}

export class NoConnectionLeftError extends Error {
  constructor() {
    super(
      `the pooler or the server answered no statement within ${replyMsMax / 1000} s: it may have no connection left`,
    );
    this.name = "NoConnectionLeftError";
  }
}

/** Throws if no transaction can be begun. One statement at a time: pipelined ones would hide the reason. */
export async function requireTransactions(connect: () => Promise<pg.Client>): Promise<void> {
  const client = await connect();
  try {
    await client.query("begin");
    await client.query("rollback");
  } finally {
    void client.end().catch(() => {});
  }
}

/** Parameters of addresses that ask for no TLS, or for none that is verified. */
const weaker: Readonly<Record<string, readonly string[]>> = {
  ssl: ["0", "false", "no-verify"],
  sslmode: ["disable", "allow", "prefer", "no-verify"],
};

/**
 * How the server at an address is connected to. With a file of certificate authorities, only by TLS, and only if its certificate is from
 * one of them and for the host of the address; the address's own settings of TLS do not weaken this. Without, as the address says.
 */
export function connectionTo(address: string, caFile: string | null): pg.ClientConfig {
  if (caFile === null) return { connectionString: address };
  const url = new URL(address);
  for (const [name, value] of url.searchParams)
    if (weaker[name]?.includes(value) === true)
      throw new BootError(
        `The address of the database has ${name}=${value}, and QUERENT_DATABASE_CA asks for verified TLS. Remove one of them.`,
      );
  for (const name of ["ssl", "sslmode", "sslrootcert", "sslnegotiation", "uselibpqcompat"])
    url.searchParams.delete(name);
  return { connectionString: url.href, ssl: { ca: readFileSync(caFile, "utf8"), rejectUnauthorized: true } };
}
