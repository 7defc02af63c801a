export { arrayLiteral, byteaArray, jsonArray, jsonbArray, textArray } from "./array-parameters.ts";
export { BootError } from "./boot-error.ts";
export { isTransient, retryDeadlock } from "./faults.ts";
export { Listener } from "./listener.ts";
export { migrate, type MigrateOptions } from "./migrate.ts";
export { planMigration, type PlannedMigration } from "./plan-migration.ts";
export type { MigrationEvent } from "./run-migration.ts";
export { requireServer } from "./require-server.ts";
export { CommitUnknownError, Database, type DatabaseOptions, type Queryable, type Transaction } from "./pool.ts";
