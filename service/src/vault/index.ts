/** The key that encrypts what must not be read from the database, and what is derived from it. */
export { loadMasterKeyFile, MasterKey, MasterKeyError, parseMasterKey } from "./master-key.ts";
