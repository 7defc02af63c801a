/** The operators' API of stored sessions. `querentd session` uses the same functions. */
import { api, type SessionRecord } from "@querent/contract";
import { ProblemError } from "../api/problem-error.ts";
import { route, type Route } from "../api/route.ts";
import type { Database } from "../db/index.ts";
import { noteAudit } from "../runtime/audited.ts";
import { changedBy, type OnChange } from "../kernel/change-event.ts";
import type { MasterKey } from "../vault/index.ts";
import { keepSession, removeSession, resumeSession } from "./keep-session.ts";
import type { AccountTurnLimits } from "./choose-session.ts";
import { readSessionRecords, type StoredSession } from "./read-sessions.ts";

export interface SessionRouteDeps {
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly isWebPlatform: (code: string) => boolean;
  readonly limitsOf: LimitsOfSession;
  readonly onChange: OnChange;
}

/** The limits of a session in the settings; undefined: it has none. */
export type LimitsOfSession = (platform: string, name: string) => AccountTurnLimits | undefined;

const noSuchSession = () => new ProblemError("not_found", "There is no such session.");

export function sessionRoutes({ database, masterKey, isWebPlatform, limitsOf, onChange }: SessionRouteDeps): Route[] {
  return [
    route(api.listSessions, async () => ({
      status: 200,
      body: { sessions: (await readSessionRecords(database)).map((one) => withLimits(one, limitsOf)) },
    })),

    route(api.putSession, async ({ caller, params, body }) => {
      const { platform_code: platform, session_name: name } = params;
      noteAudit({ target: { type: "session", id: `${platform}/${name}` } });
      if (!isWebPlatform(platform)) throw new ProblemError("not_found", "There is no such web platform.");
      await database.transaction((tx) => keepSession(tx, masterKey, { platform, name, text: JSON.stringify(body) }));
      onChange({ event: "session.stored", platform, session: name, by: changedBy(caller) });
      return { status: 200, body: await readSessionRecord(database, { platform, name, limitsOf }) };
    }),

    route(api.deleteSession, async ({ caller, params }) => {
      const { platform_code: platform, session_name: name } = params;
      noteAudit({ target: { type: "session", id: `${platform}/${name}` } });
      if (!(await database.transaction((tx) => removeSession(tx, platform, name)))) throw noSuchSession();
      onChange({ event: "session.removed", platform, session: name, by: changedBy(caller) });
      return { status: 204 };
    }),

    route(api.resumeSession, async ({ caller, params }) => {
      const { platform_code: platform, session_name: name } = params;
      noteAudit({ target: { type: "session", id: `${platform}/${name}` } });
      if (!(await database.transaction((tx) => resumeSession(tx, platform, name)))) throw noSuchSession();
      onChange({ event: "session.resumed", platform, session: name, by: changedBy(caller) });
      return { status: 200, body: await readSessionRecord(database, { platform, name, limitsOf }) };
    }),
  ];
}

interface SessionInput {
  readonly platform: string;
  readonly name: string;
  readonly limitsOf: LimitsOfSession;
}

export async function readSessionRecord(
  database: Database,
  { platform, name, limitsOf }: SessionInput,
): Promise<SessionRecord> {
  const record = (await readSessionRecords(database, platform)).find((one) => one.name === name);
  if (record === undefined) throw noSuchSession();
  return withLimits(record, limitsOf);
}

function withLimits(session: StoredSession, limitsOf: LimitsOfSession): SessionRecord {
  const { runningMax = null, perMinute = null, perHour = null } = limitsOf(session.platformCode, session.name) ?? {};
  return { ...session, limits: { runningMax, perMinute, perHour } };
}
