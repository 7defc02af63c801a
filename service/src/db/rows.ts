import { arrayLiteral, byteaArray, isPlain, jsonArray, jsonbArray, textArray } from "./array-parameters.ts";

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
export interface Rows<Row> {
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
