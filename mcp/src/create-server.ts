import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { definedIn, reply } from "./reply.ts";
import { toolTable, type ToolArguments, type ToolProperties, type ToolRow } from "./tool-table.ts";
import { prices, searches } from "./tools/answer-parts.ts";
import { ask } from "./tools/ask.ts";
import { changes } from "./tools/changes.ts";
import { compare } from "./tools/compare.ts";
import { figures } from "./tools/figures.ts";
import { pairs } from "./tools/pairs.ts";
import { panels } from "./tools/panels.ts";
import { results } from "./tools/results.ts";
import { sources } from "./tools/sources.ts";
import type { ToolAnswer, ToolName, Tools } from "./tools/tools.ts";

/** The tools that do more than return what their operation returns. */
const answers: { readonly [Name in ToolName]?: ToolAnswer<Name> } = {
  ask,
  results,
  panels,
  figures,
  changes,
  compare,
  pairs,
  searches,
  prices,
  sources,
};

const instructions =
  "Figures are estimates from a sample of answers. Whenever you state one, also state its interval or why it has none, the number of answers, the scope, and the period. Do not compare figures whose intervals overlap as if they differed, and do not add up platforms, countries or personas.";

/** A server with the tools that the token can use. */
export function createServer(tools: Tools, version: string): McpServer {
  const server = new McpServer({ name: "querent", version }, { capabilities: { tools: {} }, instructions });
  for (const name of Object.keys(toolTable) as ToolName[]) {
    const row = toolTable[name];
    const reads = row.method === "GET";
    if (!tools.allows(row.scope) || !(reads || tools.mayAsk)) continue;
    const { properties, inputSchema, outputSchema } = schemasOf(name, tools.waitSecondsMax);
    // The table has the arguments of each tool as the type of its answer.
    const answer = (answers[name] ?? passOn(name, row)) as ToolAnswer<ToolName>;
    server.registerTool(
      name,
      {
        title: row.title,
        description: row.description,
        inputSchema,
        ...(outputSchema === undefined ? {} : { outputSchema }),
        annotations: reads
          ? { readOnlyHint: true, openWorldHint: false }
          : { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      },
      (sent, { mcpReq: { signal } }) =>
        answer(tools, withDefaults(properties, sent) as ToolArguments[ToolName], signal),
    );
  }
  return server;
}

/** Returns what the operation returns. */
export function passOn(name: string, { method, path, parameters }: ToolRow): ToolAnswer<ToolName> {
  if (method !== "GET") throw new Error(`The tool ${name} does more than read, so it needs an answer of its own.`);
  return ({ querent }, input, signal) =>
    reply(() => {
      // A parameter of a path or query is a text, a number, a boolean or a list of them, whose text has commas.
      const given = Object.entries(input as Record<string, string | number | boolean | readonly string[]>);
      const query = new Map(given.map(([argument, value]) => [argument, String(value)]));
      const filled = path.replace(/\{(\w+)\}/g, (_all, argument: string) => {
        const value = encodeURIComponent(query.get(argument) ?? "");
        query.delete(argument);
        return value;
      });
      const sent = [...query].map(([argument, value]) => [parameters[argument] ?? argument, value]);
      return querent.get<Record<string, unknown>>(filled, Object.fromEntries(sent), { signal });
    });
}

const compiled = new Map<string, ReturnType<typeof compile>>();

/** The schemas of a tool, which are compiled once: a server is made for each request. */
function schemasOf(name: ToolName, waitSecondsMax: number): ReturnType<typeof compile> {
  const key = `${name} ${waitSecondsMax}`;
  const known = compiled.get(key) ?? compile(toolTable[name], waitSecondsMax);
  compiled.set(key, known);
  return known;
}

function compile(row: ToolRow, waitSecondsMax: number) {
  const properties = bounded(row.input.properties, waitSecondsMax);
  const input = { ...row.input, properties };
  return {
    properties,
    inputSchema: fromJsonSchema<object>(input),
    outputSchema: row.output === undefined ? undefined : fromJsonSchema<object>(row.output),
  };
}

/** A transport may not wait as long as the table says. */
function bounded(properties: ToolProperties, maximum: number): ToolProperties {
  const { waitSeconds } = properties;
  if (waitSeconds === undefined) return properties;
  return {
    ...properties,
    waitSeconds: { ...waitSeconds, maximum, default: Math.min(Number(waitSeconds["default"]), maximum) },
  };
}

/** The arguments with the defaults of those that were omitted, and without unknown ones. */
function withDefaults(properties: ToolProperties, sent: object): object {
  const values = new Map(Object.entries(sent));
  return definedIn(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, values.get(name) ?? schema["default"]]),
    ),
  );
}
