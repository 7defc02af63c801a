import type { SessionRecord } from "@querent/contract";
import type { Queryable } from "../db/index.ts";
import { readSessions, type SessionRow } from "./read-sessions.ts";

/** Every session of a web platform, or those of a platform, as the API and `querentd session list` show them. */
export async function readSessionRecords(db: Queryable, platform: string | null = null): Promise<SessionRecord[]> {
  const text = (time: Date | null) => time?.toISOString() ?? null;
  return (await readSessions(db, platform)).map((row) => ({
    platformCode: row.platform,
    name: row.name,
    state: stateOf(row),
    running: row.running,
    bytes: row.bytes,
    signedInAt: row.signedInAt.toISOString(),
    savedAt: text(row.savedAt),
    usedAt: text(row.usedAt),
    succeededAt: text(row.succeededAt),
    throttledUntil: text(row.throttledUntil),
    signedOutAt: text(row.signedOutAt),
    signedOutWhy: row.signedOutWhy,
  }));
}

function stateOf({ signedOutAt, needsPerson, throttledUntil }: SessionRow): SessionRecord["state"] {
  if (signedOutAt !== null) return needsPerson ? "needs_person" : "signed_out";
  return throttledUntil === null ? "ready" : "throttled";
}
