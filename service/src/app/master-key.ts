import type { Database } from "../db/index.ts";
import { checkMasterKey, holdsSecrets } from "../webhooks/index.ts";
import { loadMasterKeyFile, parseMasterKey, type MasterKey } from "../vault/index.ts";
import type { Config } from "./config.ts";

/**
 * The master key of the environment, or the key file in the data folder. The file is created only at the first start: a new key
 * could not decrypt the secrets of an existing database. Throws if the key cannot decrypt them, unless that is what the caller is about to
 * look at.
 */
export async function loadMasterKey(
  config: Config,
  database: Database,
  { check = true }: { check?: boolean } = {},
): Promise<MasterKey> {
  const key =
    config.masterKey === null
      ? await loadMasterKeyFile(config.dataDir, { make: !(await holdsSecrets(database)) })
      : parseMasterKey(config.masterKey);
  if (check) await checkMasterKey(database, key);
  return key;
}
