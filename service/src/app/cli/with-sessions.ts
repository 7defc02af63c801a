import type { Database } from "../../db/index.ts";
import { PlatformSessions } from "../../sessions/index.ts";
import type { MasterKey } from "../../vault/index.ts";
import type { Config } from "../config.ts";
import { loadMasterKey } from "../master-key.ts";
import { openExistingDatabase, type OpenDatabase } from "../open-database.ts";
import { CommandError } from "../command-error.ts";

/**
 * Runs a command that can do without a database with the stored sessions of web platforms, which decide whether a page can be asked
 * and whether its stand-in answers. Null: there is no database, or it can't be read.
 */
export async function withSessions(
  config: Config,
  work: (sessions: PlatformSessions | null) => Promise<void>,
): Promise<void> {
  let opened: OpenDatabase | null = null;
  let sessions: PlatformSessions | null = null;
  try {
    opened = await openExistingDatabase(config);
    sessions = await storedSessions(opened.database, await loadMasterKey(config, opened.database));
  } catch (error) {
    // A command error says that there is no database yet, so nobody can have signed in.
    if (!(error instanceof CommandError))
      console.error(`The stored sessions can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    await work(sessions);
  } finally {
    await opened?.close();
  }
}

export async function storedSessions(database: Database, masterKey: MasterKey): Promise<PlatformSessions> {
  const sessions = new PlatformSessions({
    database,
    masterKey,
    onEvent: (event) => console.error(JSON.stringify(event)),
    onFault: (error) => console.error(error instanceof Error ? error.message : String(error)),
  });
  await sessions.refresh();
  return sessions;
}
