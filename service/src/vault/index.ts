/** The key that encrypts secrets in the database, and keys derived from it. */
export { loadMasterKeyFile, MasterKey, MasterKeyError, parseMasterKey } from "./master-key.ts";
