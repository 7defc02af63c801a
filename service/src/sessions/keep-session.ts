/** Stores a session that an operator signed in, in place of the former one of that name. */
import { createHash } from "node:crypto";
import type { Queryable } from "../db/index.ts";
import type { MasterKey } from "../vault/index.ts";
import { sealNameOf, parseSession, SessionError } from "./session-text.ts";

export interface SessionInput {
  readonly platform: string;
  readonly name: string;
  /** Playwright's storage state. */
  readonly text: string;
  /** It is a file's: then the same file is not imported again over what was written back since. */
  readonly fromFile?: boolean;
}

/** Throws `SessionError`. False: this file was imported before. */
export async function keepSession(
  db: Queryable,
  masterKey: MasterKey,
  { platform, name, text, fromFile = false }: SessionInput,
): Promise<boolean> {
  parseSession(text);
  const sealed = masterKey.seal(text, sealNameOf(platform, sessionName(name)));
  const digest = fromFile ? createHash("sha256").update(text).digest() : null;
  // Locks: the session's row. Index: the primary key.
  const { rowCount } = await db.query(
    `insert into platform_sessions as s (platform, name, sealed, bytes, file_sha256, signed_in_at)
     values ($1, $2, $3, $4, $5, date_trunc('milliseconds', clock_timestamp()))
     on conflict (platform, name) do update
        set sealed = excluded.sealed, bytes = excluded.bytes, revision = s.revision + 1,
            file_sha256 = coalesce(excluded.file_sha256, s.file_sha256), signed_in_at = excluded.signed_in_at,
            saved_at = null, signed_out_at = null, signed_out_why = null, throttled_until = null
      where excluded.file_sha256 is null or excluded.file_sha256 is distinct from s.file_sha256`,
    [platform, name, sealed, Buffer.byteLength(text), digest],
  );
  return rowCount === 1;
}

/** Runs that hold it go on, and write nothing back. False: there is none. */
export async function removeSession(db: Queryable, platform: string, name: string): Promise<boolean> {
  const { rowCount } = await db.query("delete from platform_sessions where platform = $1 and name = $2", [
    platform,
    name,
  ]);
  return rowCount === 1;
}

/** After an operator has seen that it works: it is used again at once. False: there is none. */
export async function resumeSession(db: Queryable, platform: string, name: string): Promise<boolean> {
  // Locks: the session's row. Index: the primary key.
  const { rowCount } = await db.query(
    `update platform_sessions set signed_out_at = null, signed_out_why = null, throttled_until = null
      where platform = $1 and name = $2`,
    [platform, name],
  );
  return rowCount === 1;
}

/** The name of a session, checked. */
export function sessionName(name: string): string {
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(name))
    throw new SessionError(
      "A session's name has 1 to 64 lowercase letters, digits, dots, hyphens and underscores, and begins with a letter or digit.",
    );
  return name;
}
