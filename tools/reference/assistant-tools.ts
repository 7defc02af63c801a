/**
 * mcp/src/tool-table.ts: the tools of assistants, from the operations that have one, so that the package needs no schemas of its own. A
 * tool's arguments are JSON Schema, as the protocol has them.
 */
import { api, scopes, type Operation } from "@querent/contract";
import { Type, type TSchema } from "typebox";
import { typeOf } from "./client-types.ts";
import { plain, type Schema } from "./schema-text.ts";

const head = `/**
 * The tools of assistants, generated from the operations by \`npm run docs\`. Do not edit.
 */

/** The JSON Schema of each argument. */
export type ToolProperties = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface ToolRow {
  readonly title: string;
  readonly description: string;
  readonly scope: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The operation's path, with the names of arguments. */
  readonly path: string;
  /** The names of parameters whose argument has another name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** JSON Schema. */
  readonly input: {
    readonly type: "object";
    readonly required?: readonly string[];
    readonly properties: ToolProperties;
  };
  /** JSON Schema. Absent: the tool returns what its operation returns. */
  readonly output?: object;
}
`;

export function assistantTools(): string {
  // A token with fewer scopes has the tools of its scopes, in the same order.
  const offered = scopes.flatMap((scope) => api.operations.filter((operation) => operation.scope === scope));
  const rows = offered.flatMap((operation) => (operation.tool === undefined ? [] : [rowOf(operation, operation.tool)]));
  const table = Object.fromEntries(rows.map(({ name, row }) => [name, row]));
  const types = (title: string, list: readonly { name: string; type: Schema | null }[]) =>
    `export interface ${title} {\n${list.flatMap(({ name, type }) => (type === null ? [] : `  ${name}: ${typeOf(type, "  ")};`)).join("\n")}\n}\n`;
  return [
    head,
    `export const toolTable: Readonly<Record<keyof ToolArguments, ToolRow>> = ${JSON.stringify(table)};\n`,
    "/** The arguments of each tool, after they were validated. */",
    types(
      "ToolArguments",
      rows.map(({ name, row }) => ({ name, type: row.input })),
    ),
    "/** What tools return that do not return what their operation returns. */",
    types(
      "ToolOutput",
      rows.map(({ name, row }) => ({ name, type: row.output ?? null })),
    ),
  ].join("\n");
}

function rowOf({ scope, method, path, params, query }: Operation, tool: NonNullable<Operation["tool"]>) {
  const { name, title, description, names = {}, arguments: changes = {}, output } = tool;
  const parameters = Object.entries({ ...params?.properties, ...query?.properties }).map(
    ([parameter, schema]) => [names[parameter] ?? camelCase(parameter), schema] as const,
  );
  const all = Object.entries<TSchema | null>({ ...Object.fromEntries(parameters), ...changes });
  const given = Type.Object(
    Object.fromEntries(all.flatMap(([argument, schema]) => (schema === null ? [] : [[argument, schema]]))),
  );
  return {
    name,
    row: {
      title,
      description,
      scope,
      method,
      path: path.replace(/(?<=\{)\w+/g, (parameter) => names[parameter] ?? camelCase(parameter)),
      parameters: Object.fromEntries(Object.entries(names).map(([parameter, argument]) => [argument, parameter])),
      input: portable(plain(given), true),
      ...(output === undefined ? {} : { output: portable(plain(output), false) }),
    },
  };
}

/** `panel_id` is `panelId`. */
const camelCase = (name: string) => name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

/** Formats of JSON Schema. What others mean is in the description, and the service validates it. */
const knownFormats: Readonly<Record<string, string>> = {
  uuid: "uuid",
  date: "date",
  "date-time": "date-time",
  "utc-date-time": "date-time",
};

/** The schema for readers that know JSON Schema only. Arguments that are null are removed from a call before, so `isInput` has none. */
function portable(schema: Schema & { readonly additionalProperties?: unknown }, isInput: boolean): Schema {
  const { anyOf, format, properties, items, additionalProperties: _closed, ...rest } = schema;
  const branches =
    anyOf?.filter(({ type }) => !isInput || type !== "null").map((each) => portable(each, isInput)) ?? [];
  const known = knownFormats[format ?? ""];
  return {
    ...(branches.length === 1 ? branches[0] : branches.length === 0 ? {} : { anyOf: branches }),
    ...rest,
    ...(known === undefined ? {} : { format: known }),
    ...(items === undefined ? {} : { items: portable(items, isInput) }),
    ...(properties === undefined ? {} : { properties: mapped(properties, (each) => portable(each, isInput)) }),
  };
}

const mapped = <From, To>(members: Readonly<Record<string, From>>, to: (each: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(members).map(([name, each]) => [name, to(each)]));
