/** Whether a node gave up its work while its lease still ran: by when it did, and not by when the test has found out. */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { TestEngine, HeldRun } from "./engine.ts";

/** Times of the aborts of runs that are under way. Call it before what aborts them. */
export async function timesOfAborts(held: readonly HeldRun[]): Promise<Date[]> {
  assert.ok(
    held.every(({ signal }) => !signal.aborted),
    "all runs are under way",
  );
  return Promise.all(held.map(({ signal }) => once(signal, "abort").then(() => new Date())));
}

/** The number of leases that ended after all of these times, by the clock of the database, which is the machine's. */
export async function leasesAfter({ database }: TestEngine, times: readonly Date[]): Promise<number> {
  const { rowCount } = await database.query("select from nodes where lease_until > all ($1::timestamptz[])", [times]);
  return rowCount ?? 0;
}
