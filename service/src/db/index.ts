export { isTransient } from "./faults.ts";
export { Listener } from "./listener.ts";
export { migrate } from "./migrate.ts";
export { Database, type DatabaseOptions, type Queryable, type Transaction } from "./pool.ts";
