/** Our own PostgreSQL server, for who brings none: found, started, watched and stopped. */
export { attachEmbedded, NoDatabaseError } from "./attach-embedded.ts";
export { lockDataFolder, type DataFolderLock } from "./data-folder.ts";
export { startEmbedded, type EmbeddedEvent, type EmbeddedPostgres } from "./embedded.ts";
