export { arrayLiteral, byteaArray, jsonArray, jsonbArray, textArray } from "./array-parameters.ts";
export { BootError } from "./boot-error.ts";
export { isTransient, retryDeadlock } from "./faults.ts";
export { measureServer, measureStorage, type ServerFigures, type StorageFigures } from "./measure.ts";
export { Listener } from "./listener.ts";
export { migrate } from "./migrate.ts";
export { requireServer } from "./require-server.ts";
export { CommitUnknownError, Database, type DatabaseOptions, type Queryable, type Transaction } from "./pool.ts";
