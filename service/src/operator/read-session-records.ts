import type { SessionRecord } from "@querent/contract";
import type { Database } from "../db/index.ts";
import { readSessions } from "../sessions/index.ts";

/** Every session of a web platform: for `GET /v1/admin/sessions` and `querentd session list`. */
export async function readSessionRecords(database: Database): Promise<SessionRecord[]> {
  const text = (time: Date | null) => time?.toISOString() ?? null;
  return (await readSessions(database)).map((row) => ({
    platformCode: row.platform,
    name: row.name,
    state: row.signedOutAt !== null ? "signed_out" : row.throttledUntil !== null ? "throttled" : "ready",
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
