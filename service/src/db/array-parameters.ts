/**
 * Arrays as parameters of statements that are sent thousands of times a second: as literals that are quoted only where
 * necessary; and long values in PostgreSQL's binary format, which needs no quoting. The statement's text does not depend on the
 * number of elements, so it can be prepared.
 */
import type pg from "pg";

/** Characters without special meaning in an array literal: enough for ids, times and most codes. */
const plain = /^[\w.:+-]+$/;

/** True if a text needs no quotes in an array literal. */
export const isPlain = (value: string): boolean => plain.test(value) && !isNullWord(value);

/** The literal of an array of strings, numbers, booleans, times and nulls; null if it contains anything else. */
export function arrayLiteral(values: readonly unknown[]): string | null {
  const elements: string[] = [];
  for (const value of values) {
    if (value === null || value === undefined) elements.push("NULL");
    else if (typeof value === "string") elements.push(isPlain(value) ? value : quoted(value));
    else if (typeof value === "number" || typeof value === "boolean") elements.push(String(value));
    else if (value instanceof Date) elements.push(value.toISOString());
    else return null;
  }
  return `{${elements.join(",")}}`;
}

/** Writes an array for a parameter that is cast to `bytea[]`. */
export function byteaArray(values: readonly (Buffer | null)[]): Buffer {
  return binaryArray(17, values);
}

/** Writes an array for a parameter that is cast to `text[]` and whose elements may be long: quoting 1 MiB of JSON in a literal takes 150 ms. */
export function textArray(values: readonly (string | null)[]): Buffer {
  return binaryArray(25, values.map(utf8));
}

/** Writes an array for a parameter that is cast to `json[]`; the elements are JSON text, or its bytes. */
export function jsonArray(values: readonly (string | Buffer | null)[]): Buffer {
  return binaryArray(114, values.map(utf8));
}

/**
 * For a parameter that is cast to `jsonb[]`; the elements are JSON text, preceded by the version number of the binary format.
 */
export function jsonbArray(values: readonly (string | null)[]): Buffer {
  return binaryArray(
    3802,
    values.map((value) => (value === null ? null : Buffer.from(`\u0001${value}`, "utf8"))),
  );
}

function utf8(value: string | Buffer | null): Buffer | null {
  return typeof value === "string" ? Buffer.from(value, "utf8") : value;
}

function isNullWord(value: string): boolean {
  return value.length === 4 && value.toLowerCase() === "null";
}

function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, "\\$&")}"`;
}

/** `array_recv`: dimensions, whether there are nulls, the elements' type; the one dimension's length and first index; then each element. */
function binaryArray(elementType: number, values: readonly (Buffer | null)[]): Buffer {
  const head = values.length === 0 ? 12 : 20;
  const bytes = Buffer.allocUnsafe(values.reduce((sum, value) => sum + 4 + (value?.length ?? 0), head));
  bytes.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  bytes.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  bytes.writeInt32BE(elementType, 8);
  if (values.length === 0) return bytes;
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = head;
  for (const value of values) {
    at = bytes.writeInt32BE(value?.length ?? -1, at);
    if (value !== null) at += value.copy(bytes, at);
  }
  return bytes;
}

/** A query as the driver takes it, its arrays as literals. */
export function queryConfig(query: pg.QueryConfig | string, values?: unknown[]): pg.QueryConfig {
  const config = typeof query === "string" ? { text: query, ...(values !== undefined && { values }) } : query;
  return config.values === undefined ? config : { ...config, values: config.values.map(parameter) };
}

function parameter(value: unknown): unknown {
  return Array.isArray(value) ? (arrayLiteral(value) ?? value) : value;
}
