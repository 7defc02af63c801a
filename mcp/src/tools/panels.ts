import type { McpServer } from "@modelcontextprotocol/server";
import type { EntityRecord, PanelSummary } from "@querent/client";
import { z } from "zod";
import type { Tools } from "./tools.ts";
import { readOnly, reply } from "../reply.ts";

const panelsMax = 100;
const entitiesMax = 200;

export function addPanels(server: McpServer, { querent, allows }: Tools): void {
  server.registerTool(
    "panels",
    {
      title: "List panels and brands",
      description:
        "Lists the panels (sets of prompts that are asked again and again), newest first, and the brands, products and people that their answers are searched for. A panel's figures are of the brands in its own set, whatever the relation of a brand here. Their ids are inputs of the other tools.",
      inputSchema: z.object({}),
      annotations: readOnly,
    },
    (_input, { mcpReq: { signal } }) =>
      reply(async () => {
        const panels: Pick<PanelSummary, "panelId" | "name" | "promptCount" | "cellCount" | "taskCount">[] = [];
        for await (const { panelId, name, promptCount, cellCount, taskCount } of querent.panels.list({ signal }))
          if (panels.push({ panelId, name, promptCount, cellCount, taskCount }) >= panelsMax) break;
        const entities: Pick<EntityRecord, "entityId" | "name" | "kind" | "relation" | "domains">[] = [];
        if (allows("tasks:read"))
          for await (const { entityId, name, kind, relation, domains } of querent.entities.list({}, { signal }))
            if (entities.push({ entityId, name, kind, relation, domains }) >= entitiesMax) break;
        return { panels, entities };
      }),
  );
}
