import type { Database } from "../db/index.ts";
import type { Worker } from "./roles/worker.ts";
import { late, within } from "../kernel/within.ts";

/** How long a readiness check waits for the database. Less than the time limit of the probes in `deploy`. */
const timeoutMs = 2_000;

/** Why this process cannot do its work at present, in sentences; empty if it can. `worker` is null without that role. */
export async function notReady(database: Database, worker: Worker | null): Promise<string[]> {
  const fault = await databaseFault(database);
  if (fault !== null) return [fault];
  if (worker !== null && worker.dispatcher.nodeId === "")
    return ["This worker has no lease, so it starts no task. It registers again by itself."];
  return [];
}

/** Why the database takes no writes, or null. */
export async function databaseFault(database: Database): Promise<string | null> {
  try {
    const reply = await within(
      // Also "on" while the server is a standby.
      database.query<{ read_only: string }>("select current_setting('transaction_read_only') as read_only"),
      timeoutMs,
    );
    if (reply === late) return `The database has not responded for ${timeoutMs / 1000} seconds.`;
    return reply.rows[0]?.read_only === "off" ? null : "The database is read-only.";
  } catch {
    return "The database does not respond.";
  }
}
