import type { Queryable } from "../db/index.ts";
import type { MasterKey } from "../vault/index.ts";
import { sealNameOf, parseSession } from "./session-text.ts";
import type { SessionRecord } from "@querent/contract";

/** A session without its contents. */
export interface SessionRow {
  readonly platform: string;
  readonly name: string;
  readonly bytes: number;
  readonly signedInAt: Date;
  readonly savedAt: Date | null;
  readonly usedAt: Date | null;
  readonly succeededAt: Date | null;
  readonly signedOutAt: Date | null;
  readonly signedOutWhy: string | null;
  /** It is set aside because the page asks for a human, and not because it is signed out. */
  readonly needsPerson: boolean;
  /** When its throttling ends; null if it is not throttled now. */
  readonly throttledUntil: Date | null;
  /** The runs that hold it now. */
  readonly running: number;
}

/** Every session, or those of a platform. */
export async function readSessions(db: Queryable, platform: string | null = null): Promise<SessionRow[]> {
  // Index: the primary keys. An operator has a few sessions.
  const { rows } = await db.query<SessionRow>(
    `select platform, name, bytes, signed_in_at as "signedInAt", saved_at as "savedAt", used_at as "usedAt",
            succeeded_at as "succeededAt", signed_out_at as "signedOutAt", signed_out_why as "signedOutWhy",
            coalesce(human_check_at = signed_out_at, false) as "needsPerson",
            case when throttled_until > now() then throttled_until end as "throttledUntil",
            (select count(*)::int from platform_session_holds h
              where h.platform = s.platform and h.name = s.name and h.released_at is null and h.lease_until > now()) as running
       from platform_sessions s where $1::text is null or platform = $1 order by platform, name`,
    [platform],
  );
  return rows;
}

/** The storage state of a session; null: there is none. */
export async function openSession(
  db: Queryable,
  masterKey: MasterKey,
  platform: string,
  name: string,
): Promise<object | null> {
  // Index: the primary key.
  const { rows } = await db.query<{ sealed: Buffer }>(
    "select sealed from platform_sessions where platform = $1 and name = $2",
    [platform, name],
  );
  const [row] = rows;
  return row === undefined ? null : parseSession(masterKey.open(row.sealed, sealNameOf(platform, name)));
}

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
