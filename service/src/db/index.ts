export { arrayLiteral, byteaArray, jsonArray, jsonbArray, textArray } from "./array-parameters.ts";
export { applicationNameOf, describeBudget, readConnectionBudget } from "./connection-budget.ts";
export { BootError } from "./boot-error.ts";
export { isTransient, retryDeadlock } from "./faults.ts";
export { Listener } from "./listener.ts";
export { migrate } from "./migrate.ts";
export { requireServer } from "./require-server.ts";
export { CommitUnknownError, Database, type DatabaseOptions, type Queryable, type Transaction } from "./pool.ts";
