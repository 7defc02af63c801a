import type { Database } from "../db/index.ts";
import { checkMasterKey, holdsSecrets } from "../webhooks/index.ts";
import { loadMasterKeyFile, parseMasterKey, type MasterKey } from "../vault/index.ts";
import type { Config } from "./config.ts";

/**
 * The master key of the environment, or the key file in the data folder. The file is made at the first start only: beside a database that
 * holds secrets a new key would fit nothing. Refuses a key that does not fit the database.
 */
export async function loadMasterKey(config: Config, database: Database): Promise<MasterKey> {
  const key =
    config.masterKey === null
      ? await loadMasterKeyFile(config.dataDir, { make: !(await holdsSecrets(database)) })
      : parseMasterKey(config.masterKey);
  await checkMasterKey(database, key);
  return key;
}
