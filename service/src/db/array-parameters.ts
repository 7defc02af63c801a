/**
 * Rows and arrays as parameters of statements that are sent thousands of times a second: as literals that are quoted only where
 * necessary; and long values in PostgreSQL's binary format, which needs no quoting. The statement's text does not depend on the
 * number of elements, so it can be prepared.
 */
import pg from "pg";

/** What each row holds in a column, by the column's type. Times are written as ISO 8601, JSON as its text. */
interface ValuesOfTypes {
  readonly bigint: number | string;
  readonly boolean: boolean;
  readonly bytea: Buffer;
  readonly date: string;
  readonly float8: number;
  readonly int: number;
  readonly "int[]": readonly number[];
  readonly json: string | Buffer;
  readonly jsonb: string;
  readonly numeric: number;
  readonly smallint: number;
  readonly text: string;
  readonly "text[]": readonly (string | null)[];
  readonly timestamptz: string | Date;
  readonly uuid: string;
  readonly "uuid[]": readonly (string | null)[];
}

type ColumnType = keyof ValuesOfTypes;

/** The type of a column, and what a row has in it. `nth` counts the rows from 0. */
type Column<Row> = {
  [Type in ColumnType]: readonly [Type, (row: Row, nth: number) => ValuesOfTypes[Type] | null];
}[ColumnType];

/** Rows that a statement receives as one array for each column. */
interface Rows<Row> {
  /** The names of the columns, for an `insert`. */
  readonly columns: string;
  /** How many parameters they are. */
  readonly width: number;
  /** The rows as an item of `from`. Their parameters are those after this many others. */
  after(parameters: number): string;
  /** One column of them as an array, for the same number of other parameters. */
  array(column: string, parameters: number): string;
  /** The parameters. */
  values(rows: readonly Row[]): unknown[];
}

/**
 * Describes rows that a statement receives, once: the name and the type of each column beside what is written there. The text
 * of the statement does not depend on the number of rows, so that it can be prepared.
 *
 * PostgreSQL's arrays of arrays must have equal lengths, so an array in a column is passed as its literal.
 */
export function rowsAs<Row>(alias: string, columns: Readonly<Record<string, Column<Row>>>): Rows<Row> {
  const list = Object.entries(columns);
  const names = list.map(([name]) => name).join(", ");
  const parameter = (index: number, parameters: number) =>
    `$${parameters + index + 1}::${passedAs(list[index]?.[1][0])}[]`;
  const read = list.map(([name, [type]]) => (isArray(type) ? `${name}::${type} as ${name}` : name)).join(", ");
  return {
    columns: names,
    width: list.length,
    after: (parameters) => {
      const arrays = list.map((_, index) => parameter(index, parameters)).join(", ");
      const from = `unnest(${arrays}) as ${alias}(${names})`;
      return list.some(([, [type]]) => isArray(type)) ? `(select ${read} from ${from}) as ${alias}` : from;
    },
    array: (column, parameters) => {
      const index = list.findIndex(([name]) => name === column);
      if (index < 0) throw new RangeError(`These rows have no column ${column}.`);
      return parameter(index, parameters);
    },
    values: (rows) => list.map(([, column], index) => valuesOf(column, rows, { isFirst: index === 0 })),
  };
}

const isArray = (type: ColumnType) => type.endsWith("[]");

const passedAs = (type: ColumnType = "text") => (isArray(type) ? "text" : type);

/** A column that holds nothing is sent empty, and filled with nulls by `unnest`; the first one tells how many rows there are. */
function valuesOf<Row>(column: Column<Row>, rows: readonly Row[], { isFirst }: { isFirst: boolean }): unknown {
  const [type, read] = column as readonly [ColumnType, (row: Row, nth: number) => unknown];
  const values = rows.map(read);
  if (!isFirst && values.every((value) => value === null)) return [];
  switch (type) {
    case "bytea":
      return byteaArray(values as (Buffer | null)[]);
    case "json":
      return jsonArray(values as (string | Buffer | null)[]);
    case "jsonb":
      return jsonbArray(values as (string | null)[]);
    case "text":
      return textOf(values as (string | null)[]);
    case "int[]":
    case "text[]":
    case "uuid[]":
      return textOf(values.map((value) => (value === null ? null : arrayLiteral(value as readonly unknown[]))));
    default:
      return values;
  }
}

/** Texts without special characters, such as codes, as a literal, which is shorter; others in the binary format, which needs no quoting. */
function textOf(values: readonly (string | null)[]): unknown {
  return values.every((value) => value === null || isPlain(value)) ? values : textArray(values);
}

/** Characters without special meaning in an array literal: enough for ids, times and most codes. */
const plain = /^[\w.:+-]+$/;

/** True if a text needs no quotes in an array literal. */
const isPlain = (value: string): boolean => plain.test(value) && !isNullWord(value);

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

/**
 * The condition that a `bytea` column has one of the values, its parameter, and a word that tells its two forms apart in a statement's name.
 * A single value is compared without an array: PostgreSQL estimates a plan for any array by ten elements, finds one for this array
 * cheaper, and plans the statement anew each time, which for five joined tables takes ten times as long as reading them.
 */
export function oneOf(
  column: string,
  parameter: string,
  values: readonly Buffer[],
): { condition: string; value: Buffer; form: "one" | "several" } {
  const [first] = values;
  return first !== undefined && values.length === 1
    ? { condition: `${column} = ${parameter}`, value: first, form: "one" }
    : { condition: `${column} = any(${parameter}::bytea[])`, value: byteaArray(values), form: "several" };
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
