/** A run takes a session, and says at its end how it went. */
import type { Database, Queryable } from "../db/index.ts";
import { newId } from "../kernel/ids.ts";
import type { MasterKey } from "../vault/index.ts";
import { chooseSession, type Candidate, type PickedSession, type AccountTurnLimits } from "./choose-session.ts";
import { sealNameOf } from "./session-text.ts";

export interface HoldInput {
  readonly platform: string;
  /** How long it is held at most, if its process ends without releasing it. */
  readonly forMs: number;
  readonly limitsOf: (name: string) => AccountTurnLimits;
}

export interface StoredHold {
  readonly kind: "held";
  readonly platform: string;
  readonly name: string;
  readonly id: string;
  readonly text: string;
  readonly revision: string;
  readonly signedInAt: Date;
}

/** `none`: the platform has no session. */
export type HoldResult = StoredHold | Exclude<PickedSession, { kind: "use" }> | { readonly kind: "none" };

export async function holdSession(
  database: Database,
  masterKey: MasterKey,
  { platform, forMs, limitsOf }: HoldInput,
): Promise<HoldResult> {
  const taken = await database.transaction(async (tx) => {
    // Locks: the platform's sessions, so that two runs count each other; for three statements. Index: the primary key.
    const { rows } = await tx.query("select from platform_sessions where platform = $1 order by name for update", [
      platform,
    ]);
    if (rows.length === 0) return { kind: "none" } as const;
    await tx.query(
      "delete from platform_session_holds where platform = $1 and held_at < now() - interval '1 hour' and (released_at is not null or lease_until < now())",
      [platform],
    );
    const choice = chooseSession(await readCandidates(tx, platform), limitsOf);
    return choice.kind === "use" ? take(tx, { platform, name: choice.name, forMs }) : choice;
  });
  if (taken.kind !== "held") return taken;
  const { sealed, ...held } = taken;
  return { ...held, text: masterKey.open(sealed, sealNameOf(platform, held.name)) };
}

async function readCandidates(tx: Queryable, platform: string): Promise<Candidate[]> {
  // Index: the primary keys.
  const { rows } = await tx.query<Candidate>(
    `select s.name, s.signed_out_at is not null as "signedOut",
            greatest(0, coalesce(ceil(1000 * extract(epoch from s.throttled_until - clock_timestamp())), 0))::float8 as "throttledMs",
            count(h.id) filter (where h.released_at is null and h.lease_until > clock_timestamp())::int as running,
            coalesce(array_agg((1000 * extract(epoch from clock_timestamp() - h.held_at))::float8 order by h.held_at desc)
                       filter (where h.id is not null), '{}') as "startedMsAgo"
       from platform_sessions s left join platform_session_holds h using (platform, name)
      where s.platform = $1 group by s.platform, s.name order by s.name`,
    [platform],
  );
  return rows;
}

async function take(tx: Queryable, { platform, name, forMs }: { platform: string; name: string; forMs: number }) {
  const id = newId();
  await tx.query(
    `insert into platform_session_holds (platform, name, id, held_at, lease_until)
     values ($1, $2, $3, clock_timestamp(), clock_timestamp() + $4 * interval '1 millisecond')`,
    [platform, name, id, forMs],
  );
  // Locks: the row, held already.
  const { rows } = await tx.query<{ sealed: Buffer; revision: string; signedInAt: Date }>(
    `update platform_sessions set used_at = clock_timestamp() where platform = $1 and name = $2
     returning sealed, revision::text, signed_in_at as "signedInAt"`,
    [platform, name],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`The session ${name} of ${platform} vanished while its row was locked.`);
  return { kind: "held", platform, name, id, ...row } as const;
}

/** How a run ended, as far as its session is concerned. */
export type HoldEnd =
  /** `text`: what the session is now; null: it could not be read. */
  | { readonly kind: "worked"; readonly text: string | null }
  /** `needs_person`: the page asks for a human. */
  | { readonly kind: "signed_out" | "needs_person"; readonly why: string }
  | { readonly kind: "throttled"; readonly forMs: number }
  /** Says nothing about the session. */
  | { readonly kind: "other" };

/** Releases the session. False if somebody has signed in, or written back, since the run began: then what the run brings is not kept. */
export async function releaseHold(
  database: Database,
  masterKey: MasterKey,
  hold: Pick<StoredHold, "platform" | "name" | "id" | "revision" | "signedInAt">,
  end: HoldEnd,
): Promise<boolean> {
  const { platform, name } = hold;
  return database.transaction(async (tx) => {
    const kept = await recordEnd(tx, masterKey, hold, end);
    await tx.query(
      "update platform_session_holds set released_at = clock_timestamp() where platform = $1 and name = $2 and id = $3",
      [platform, name, hold.id],
    );
    return kept;
  });
}

async function recordEnd(
  tx: Queryable,
  masterKey: MasterKey,
  { platform, name, revision, signedInAt }: Pick<StoredHold, "platform" | "name" | "revision" | "signedInAt">,
  end: HoldEnd,
): Promise<boolean> {
  const key = [platform, name];
  const changed = async (sql: string, values: unknown[]) =>
    // Locks: the session's row. Index: the primary key.
    (await tx.query(`update platform_sessions set ${sql}`, [...key, ...values])).rowCount === 1;
  switch (end.kind) {
    case "other":
      return true;
    case "throttled":
      return changed(
        `throttled_until = greatest(throttled_until, clock_timestamp() + $3 * interval '1 millisecond')
          where platform = $1 and name = $2`,
        [end.forMs],
      );
    case "signed_out":
    case "needs_person":
      return changed(
        `signed_out_at = now(), signed_out_why = $3, human_check_at = case when $5 then now() end
          where platform = $1 and name = $2 and signed_in_at = $4 and signed_out_at is null`,
        [end.why.slice(0, 1000), signedInAt, end.kind === "needs_person"],
      );
    case "worked": {
      await changed("succeeded_at = clock_timestamp() where platform = $1 and name = $2 and signed_in_at = $3", [
        signedInAt,
      ]);
      if (end.text === null) return true;
      // A session that a page renewed for another run in the meantime is newer than this one.
      return changed(
        `sealed = $4, bytes = $5, revision = revision + 1, saved_at = clock_timestamp()
          where platform = $1 and name = $2 and revision = $3`,
        [revision, masterKey.seal(end.text, sealNameOf(platform, name)), Buffer.byteLength(end.text)],
      );
    }
  }
}
