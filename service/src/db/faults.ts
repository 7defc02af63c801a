import pg from "pg";

/** SQLSTATE classes of faults that pass: connection, resources, operator intervention, serialization, deadlock, a server that is read-only. */
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

/** True for a fault of the database or of the way to it that is likely to pass: the same work may succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return transientStates.test(error.code ?? "");
  return (error instanceof Error && error.name === "CommitUnknownError") || isConnectionLost(error);
}

/** The server ended the connection: shutdown (57P), or a connection fault of its own (08). */
const lostStates = /^(08|57P)/;

/** True when the connection is gone, or can't be had: nothing more can be said on it, and what was said last may have been done. */
export function isConnectionLost(error: unknown): error is Error {
  if (error instanceof pg.DatabaseError) return lostStates.test(error.code ?? "");
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== undefined && transientErrnos.has(code)) return true;
  // The client's own errors carry no code.
  return /Query read timeout|Connection terminated|connection timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Connection error/i.test(
    error.message,
  );
}

/**
 * "cannot execute … in a read-only transaction": the server takes no writes, such as a primary that another has replaced. A new connection
 * may reach the one that does.
 */
export const isReadOnly = (error: unknown): error is Error =>
  error instanceof pg.DatabaseError && error.code === "25006";

/**
 * Runs a transaction again that PostgreSQL chose as the victim of a deadlock. For one that locks many rows in its own order
 * (their ids) beside others that lock them in theirs (the queue's).
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
