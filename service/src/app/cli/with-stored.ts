import type { Database } from "../../db/index.ts";
import { PlatformSessions } from "../../sessions/index.ts";
import { StoredSetups } from "../../setups/index.ts";
import type { MasterKey } from "../../vault/index.ts";
import type { Config } from "../config.ts";
import { loadMasterKey } from "../master-key.ts";
import { openExistingDatabase, type OpenDatabase } from "../open-database.ts";
import { CommandError } from "../command-error.ts";

/** What the database holds of platforms. Null: there is no database, or it can't be read. */
export interface StoredOfPlatforms {
  /** The sessions of web platforms, which decide whether a page can be asked and whether its stand-in answers. */
  readonly sessions: PlatformSessions | null;
  /** The keys and settings that administrators have stored. */
  readonly setups: StoredSetups | null;
}

export const nothingStored: StoredOfPlatforms = { sessions: null, setups: null };

/** Runs a command that can do without a database with what one holds of platforms. */
export async function withStored(config: Config, work: (stored: StoredOfPlatforms) => Promise<void>): Promise<void> {
  let opened: OpenDatabase | null = null;
  let stored = nothingStored;
  try {
    opened = await openExistingDatabase(config);
    stored = await readStored(opened.database, await loadMasterKey(config, opened.database));
  } catch (error) {
    // A command error says that there is no database yet, so nobody can have stored anything.
    if (!(error instanceof CommandError))
      console.error(
        `The stored sessions and keys can't be read: ${error instanceof Error ? error.message : String(error)}`,
      );
  }
  try {
    await work(stored);
  } finally {
    await opened?.close();
  }
}

export async function readStored(database: Database, masterKey: MasterKey): Promise<StoredOfPlatforms> {
  const onFault = (error: unknown) => console.error(error instanceof Error ? error.message : String(error));
  const sessions = new PlatformSessions({
    database,
    masterKey,
    onEvent: (event) => console.error(JSON.stringify(event)),
    onFault,
  });
  const setups = new StoredSetups({ database, masterKey, onFault });
  await Promise.all([sessions.refresh(), setups.refresh()]);
  return { sessions, setups };
}
