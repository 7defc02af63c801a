/** The embedded PostgreSQL server, for installations without their own: found, started, supervised and stopped. */
export { attachEmbedded, NoDatabaseError } from "./attach-embedded.ts";
export { lockDataFolder, type DataFolderLock } from "./data-folder.ts";
export { startEmbedded, type EmbeddedEvent, type EmbeddedPostgres } from "./embedded.ts";
