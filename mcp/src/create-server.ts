import { McpServer } from "@modelcontextprotocol/server";
import { addAsk } from "./tools/ask.ts";
import { addChanges } from "./tools/changes.ts";
import { addFigures } from "./tools/figures.ts";
import { addObservations } from "./tools/observations.ts";
import { addPanels } from "./tools/panels.ts";
import { addPlatforms } from "./tools/platforms.ts";
import { addResults } from "./tools/results.ts";
import { addSources } from "./tools/sources.ts";
import type { Tools } from "./tools/tools.ts";

const instructions =
  "Figures are estimates from a sample of answers. Whenever you state one, also state its interval or why it has none, the number of answers, the scope, and the period. Do not compare figures whose intervals overlap as if they differed, and do not add up platforms, countries or personas.";

/** A server with the tools that the token can use. */
export function createServer(tools: Tools, version: string): McpServer {
  const server = new McpServer({ name: "querent", version }, { capabilities: { tools: {} }, instructions });
  if (tools.mayAsk && tools.allows("tasks:write")) addAsk(server, tools);
  if (tools.allows("tasks:read")) {
    addResults(server, tools);
    addPlatforms(server, tools);
    addObservations(server, tools);
    addSources(server, tools);
  }
  if (tools.allows("panels:read")) {
    addPanels(server, tools);
    addFigures(server, tools);
    addChanges(server, tools);
  }
  return server;
}
