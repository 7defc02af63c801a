export { migrate } from "./migrate.ts";
export { Database, type DatabaseOptions, type Queryable, type Transaction } from "./pool.ts";
