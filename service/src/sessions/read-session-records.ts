import type { SessionRecord } from "@querent/contract";
import type { Queryable } from "../db/index.ts";
import { readSessions, type SessionRow } from "./read-sessions.ts";

/** A session without what only the settings say of it. */
export type StoredSession = Omit<SessionRecord, "limits">;

/** Every session of a web platform, or those of a platform, as `querentd session list` shows them. */
export async function readSessionRecords(db: Queryable, platform: string | null = null): Promise<StoredSession[]> {
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
