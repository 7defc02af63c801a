import pg from "pg";

/** SQLSTATE classes of faults that pass: connection, resources, operator intervention, serialization, deadlock. */
const transientStates = /^(08|53|57P|55P03|40001|40P01|25P03)/;
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
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== undefined && transientErrnos.has(code)) return true;
  // The client's own errors carry no code.
  return /Connection terminated|connection timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Connection error/i.test(
    error.message,
  );
}
