export { arrayLiteral, byteaArray, jsonArray, jsonbArray, textArray } from "./array-parameters.ts";
export { BootError } from "./boot-error.ts";
export { isTransient, retryDeadlock } from "./faults.ts";
export { Listener } from "./listener.ts";
export { migrate } from "./migrate.ts";
export { exportTable } from "./export-partition.ts";
export {
  dropLeftovers,
  dropPartition,
  extendPartitions,
  listPartitions,
  partitionPeriods,
  type Partition,
  type PartitionedTable,
  type PartitionPeriod,
} from "./partitions.ts";
export { requireServer } from "./require-server.ts";
export { CommitUnknownError, Database, type DatabaseOptions, type Queryable, type Transaction } from "./pool.ts";
