/** Signed-in sessions of web platforms: kept encrypted, held by a run, and written back after it. */
export { PlatformSessions, type SessionEvent } from "./platform-sessions.ts";
export { readSessionRecords, type StoredSession } from "./read-sessions.ts";
export { readSessionRecord, sessionRoutes, type LimitsOfSession, type SessionRouteDeps } from "./session-routes.ts";
export { keepSession, removeSession, sessionName } from "./keep-session.ts";
export { openSession, readSessions, type SessionRow } from "./read-sessions.ts";
export { forgetSessions, sealedSessions } from "./session-text.ts";
export { SessionError } from "./session-text.ts";
