import pg from "pg";

/**
 * SQLSTATE classes of transient errors: connection, resources, operator intervention, serialization, deadlock, a read-only
 * server.
 */
const transientStates = /^(08|53|57P|55P03|40001|40P01|25P03|25006)/;
const transientErrnos = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOENT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** True for an error of the database or the connection to it that is probably transient: the same work may succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return transientStates.test(error.code ?? "");
  return (error instanceof Error && error.name === "CommitUnknownError") || isConnectionLost(error);
}

/** The server closed the connection: shutdown (57P), or a connection error of its own (08). */
const lostStates = /^(08|57P)/;

/**
 * True if the connection is lost or cannot be made: nothing more can be sent on it, and the last statement may have been
 * executed.
 */
export function isConnectionLost(error: unknown): error is Error {
  if (error instanceof pg.DatabaseError) return lostStates.test(error.code ?? "");
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== undefined && transientErrnos.has(code)) return true;
  // The client's own errors have no code.
  return /Query read timeout|Connection terminated|connection timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Connection error/i.test(
    error.message,
  );
}

/** The server canceled the statement: its time was over. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === "57014";

/**
 * "cannot execute … in a read-only transaction": the server accepts no writes, such as a primary that has been replaced. A new
 * connection may reach the one that does.
 */
export const isReadOnly = (error: unknown): error is Error =>
  error instanceof pg.DatabaseError && error.code === "25006";

/**
 * Repeats a transaction that PostgreSQL aborted because of a deadlock. For transactions that lock many rows in the order of
 * their ids, beside others that lock them in the order of the queue.
 */
export async function retryDeadlock<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction();
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== "40P01" || tries >= 5) throw error;
    }
  }
}

/** "terminating connection due to administrator command": sent by a server that is shutting down. */
export const isShutdown = (error: Error) => error instanceof pg.DatabaseError && error.code === "57P01";

/** "current transaction is aborted": the error of every statement after one that failed. */
export const isAborted = (error: unknown) => error instanceof pg.DatabaseError && error.code === "25P02";
