export { arrayLiteral, byteaArray, jsonArray, jsonbArray, textArray } from "./array-parameters.ts";
export { attachEmbedded } from "./attach-embedded.ts";
export { BootError } from "./boot-error.ts";
export { lockDataFolder, type DataFolderLock } from "./data-folder.ts";
export { startEmbedded, type EmbeddedEvent, type EmbeddedPostgres } from "./embedded.ts";
export { isTransient, retryDeadlock } from "./faults.ts";
export { Listener } from "./listener.ts";
export { migrate } from "./migrate.ts";
export { CommitUnknownError, Database, type DatabaseOptions, type Queryable, type Transaction } from "./pool.ts";
