/** The key that encrypts secrets in the database, its replacement, and keys that are stored encrypted with it. */
export { keyIdOf, loadMasterKeyFile, MasterKey, MasterKeyError, parseMasterKey } from "./master-key.ts";
export { encryptAgain, headOf, type SealedTable, type SealedValue } from "./sealed-table.ts";
export { forgetStoredKeys, sealedStoredKeys, storedKey } from "./stored-key.ts";
