/** Schemas as text, for the tables of the reference. */
import { namedSchemas } from "@querent/contract";
import type { TSchema } from "typebox";

/** The keywords of JSON Schema that the contract uses. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const names = new Map<unknown, string>(Object.entries(namedSchemas).map(([name, schema]) => [schema, name]));

export const plain = (schema: TSchema): Schema => schema;

/** A line of a field table. */
interface Field {
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly about: string;
}

/** The name of a schema that has its own table. */
export const nameOf = (schema: unknown): string | undefined => names.get(schema);

/** A Markdown table of an object's members; members of nested unnamed objects follow as `outer.inner`. */
export function fieldTable(schema: Schema, options: { required: boolean }): string {
  const rows = fieldsOf(schema, "").map(({ path, type, required, about }) => [
    `\`${path}\``,
    type,
    ...(options.required ? [required ? "yes" : ""] : []),
    about,
  ]);
  return table(["Field", "Type", ...(options.required ? ["Required"] : []), ""], rows);
}

function fieldsOf(schema: Schema, prefix: string): Field[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    const { inner, suffix } = unwrap(member);
    const field = {
      path,
      type: typeText(member),
      required: required.has(name),
      about: [member.description ?? inner.description ?? "", defaultText(member)]
        .filter((part) => part !== "")
        .join(" "),
    };
    return names.has(inner) || inner.properties === undefined
      ? [field]
      : [field, ...fieldsOf(inner, `${path}${suffix}.`)];
  });
}

/** The schema inside nullable types and lists. */
function unwrap(schema: Schema): { inner: Schema; suffix: string } {
  if (names.has(schema)) return { inner: schema, suffix: "" };
  const branches = schema.anyOf?.filter((branch) => branch.type !== "null") ?? [];
  if (branches.length === 1 && branches[0] !== undefined) return unwrap(branches[0]);
  if (schema.items !== undefined) {
    const { inner, suffix } = unwrap(schema.items);
    return { inner, suffix: `[]${suffix}` };
  }
  return { inner: schema, suffix: "" };
}

/** A schema's type with its bounds as text: `integer, 0 to 9`. */
export function typeText(schema: Schema): string {
  const name = names.get(schema);
  if (name !== undefined) return `[${name}](#${name.toLowerCase()})`;
  if (schema.anyOf !== undefined) return schema.anyOf.map((branch) => typeText(branch)).join(" or ");
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(", ");
  if (schema.type === "array") {
    const count = range(schema.minItems, schema.maxItems);
    return `list of ${schema.items === undefined ? "anything" : typeText(schema.items)}${count === "" ? "" : ` (${count})`}`;
  }
  const kinds: Record<string, string> = {
    uuid: "UUID",
    "date-time": "timestamp",
    "utc-date-time": "timestamp",
    "https-url": "`https:` address",
    date: "date",
  };
  const base = kinds[schema.format ?? ""] ?? schema.type ?? "anything";
  const bounds =
    schema.type === "string"
      ? range(schema.minLength, schema.maxLength, " characters")
      : schema.exclusiveMinimum !== undefined
        ? `above ${schema.exclusiveMinimum}, up to ${schema.maximum}`
        : range(schema.minimum, schema.maximum);
  return bounds === "" ? base : `${base}, ${bounds}`;
}

function defaultText(schema: Schema): string {
  return schema.default === undefined ? "" : `Default: \`${JSON.stringify(schema.default).replaceAll('"', "")}\`.`;
}

function range(min: number | undefined, max: number | undefined, unit = ""): string {
  const number = (value: number) => value.toLocaleString("en");
  if (min !== undefined && max !== undefined) return `${number(min)} to ${number(max)}${unit}`;
  if (max !== undefined) return `up to ${number(max)}${unit}`;
  return min === undefined || (min === 0 && unit === "") ? "" : `${number(min)} or more${unit}`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ")).join(" | ")} |`;
  return [line(head), `|${head.map(() => " --- ").join("|")}|`, ...rows.map(line)].join("\n");
}

/** The first line of a generated page. */
export const generated = "<!-- Generated by `npm run docs`. Change the code that it describes, not this page. -->";
