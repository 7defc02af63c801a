import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Tools } from "./tools.ts";
import { readOnly, reply } from "../reply.ts";

export function addPlatforms(server: McpServer, { querent }: Tools): void {
  server.registerTool(
    "platforms",
    {
      title: "List answer platforms",
      description:
        "Lists the available platforms with the fields that they return, their prices in points, and their health.",
      inputSchema: z.object({}),
      annotations: readOnly,
    },
    (_input, { mcpReq: { signal } }) => reply(async () => ({ platforms: await querent.platforms.list({ signal }) })),
  );
}
