/** A session as text: Playwright's storage state, checked before it is stored and after it is read. */
import { Type } from "typebox";
import { compileCheck } from "../kernel/validate.ts";
import type { Database } from "../db/index.ts";
import { headOf, type SealedTable } from "../vault/index.ts";

export class SessionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SessionError";
  }
}

export const sessionBytesMax = 8 * 1024 * 1024;

/** What Querent relies on; the browser checks the members. */
const check = compileCheck(
  Type.Object({
    cookies: Type.Array(Type.Object({ name: Type.String(), value: Type.String(), domain: Type.String() }), {
      maxItems: 5_000,
    }),
    origins: Type.Array(Type.Object({ origin: Type.String() }), { maxItems: 1_000 }),
  }),
);

/** The session in a text. Messages name places in it, and none of its values. */
export function parseSession(text: string): object {
  if (Buffer.byteLength(text) > sessionBytesMax)
    throw new SessionError(`A session has at most ${sessionBytesMax / 1024 / 1024} MiB; this one is larger.`);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new SessionError("This is no session: it is not JSON. `querentd recipe sign-in` writes one.");
  }
  const [fault] = check(content);
  if (fault !== undefined || typeof content !== "object" || content === null)
    throw new SessionError(
      `This is no session (a Playwright storage state): ${fault?.pointer || "/"}: ${fault?.detail ?? "not an object"}`,
    );
  return content;
}

export const sealNameOf = (platform: string, name: string) => `session ${platform}/${name}`;

export const sealedSessions: SealedTable = {
  what: "sessions of web platforms",
  count: async (db) =>
    (
      await db.query<{ head: Buffer; values: number }>(
        `select ${headOf("sealed")} as head, count(*)::int as values from platform_sessions group by 1`,
      )
    ).rows,
  readOthers: async (db, head, after, limit) =>
    (
      await db.query<{ id: string; sealed: Buffer }>(
        // A session can have megabytes, and an operator has a few of them.
        `select platform || '/' || name as id, sealed from platform_sessions
          where ${headOf("sealed")} <> $1 and platform || '/' || name > coalesce($2, '') order by 1 limit least($3, 10)`,
        [head, after, limit],
      )
    ).rows,
  encryptAgain: (masterKey, { id, sealed }) => {
    const [platform = "", name = ""] = id.split("/");
    const bound = sealNameOf(platform, name);
    return masterKey.seal(masterKey.open(sealed, bound), bound);
  },
  async replace(db, values) {
    // Locks: the rows, for this statement. A run may have written back meanwhile, with a newer key: that stays.
    for (const { id, former, sealed } of values)
      await db.query(
        "update platform_sessions set sealed = $3 where platform = split_part($1, '/', 1) and name = split_part($1, '/', 2) and sealed = $2",
        [id, former, sealed],
      );
  },
};

/** After the master key was lost: these are signed in anew. */
export async function forgetSessions(database: Database, ids: readonly string[]): Promise<void> {
  await database.query("delete from platform_sessions where platform || '/' || name = any($1)", [ids]);
}
