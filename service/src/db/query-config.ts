import type pg from "pg";
import { arrayLiteral } from "./array-parameters.ts";

/** A query as the driver takes it, its arrays as literals. */
export function queryConfig(query: pg.QueryConfig | string, values?: unknown[]): pg.QueryConfig {
  const config = typeof query === "string" ? { text: query, ...(values !== undefined && { values }) } : query;
  return config.values === undefined ? config : { ...config, values: config.values.map(parameter) };
}

function parameter(value: unknown): unknown {
  return Array.isArray(value) ? (arrayLiteral(value) ?? value) : value;
}
