export { readAnnounced } from "./announcer.ts";
export { arrayLiteral, byteaArray, jsonArray, jsonbArray, oneOf, textArray } from "./array-parameters.ts";
export { applicationNameOf, describeBudget, readConnectionBudget } from "./measure.ts";
export { BootError } from "./boot-error.ts";
export { isStatementTimeout, isTransient, retryDeadlock } from "./faults.ts";
export { measureServer, measureStorage, type ServerFigures, type StorageFigures } from "./measure.ts";
export {
  primaryReader,
  ReplicaReader,
  unlessReadOnly,
  type ListReader,
  type ListSource,
  readsInTurn,
  readsUntil,
} from "./list-reader.ts";
export { connectionTo } from "./session.ts";
export { Listener } from "./listener.ts";
export { migrate, type MigrateOptions } from "./migrate.ts";
export { planMigration, type PlannedMigration } from "./plan-migration.ts";
export type { MigrationEvent } from "./run-migration.ts";
export {
  exportTable,
  dropLeftovers,
  dropPartition,
  emptyPartition,
  extendPartitions,
  listPartitions,
  partitionPeriods,
  type Partition,
  type PartitionedTable,
  type PartitionPeriod,
} from "./partitions.ts";
export { requireServer } from "./require-server.ts";
export { rowsAs } from "./array-parameters.ts";
export {
  CommitUnknownError,
  Database,
  keptPlans,
  type DatabaseOptions,
  type Queryable,
  type Transaction,
} from "./pool.ts";
