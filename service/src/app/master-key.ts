import type { Database } from "../db/index.ts";
import { checkMasterKey, loadMasterKeyFile, parseMasterKey, type MasterKey } from "../notifications/index.ts";
import type { Config } from "./config.ts";

/** The master key of the environment, or the key file in the data folder; made at the first start. Refuses a key that does not fit the database. */
export async function loadMasterKey(config: Config, database: Database): Promise<MasterKey> {
  const key = config.masterKey === null ? await loadMasterKeyFile(config.dataDir) : parseMasterKey(config.masterKey);
  await checkMasterKey(database, key);
  return key;
}
