/** The embedded PostgreSQL server, for installations without their own: found, started, supervised and stopped. */
export { attachEmbedded, NoDatabaseError } from "./attach-embedded.ts";
export { backUpCluster } from "./back-up.ts";
export { copyTree, makeFolderLike, type Copied } from "./copy-tree.ts";
export { copyBackup, requireBackup } from "./restore.ts";
export { decideRestore, finishRestore, newData, unfinishedRestore } from "./finish-restore.ts";
export { lockDataFolder, readHolder, type DataFolderLock } from "./data-folder.ts";
export { startEmbedded, type EmbeddedEvent, type EmbeddedPostgres } from "./embedded.ts";
