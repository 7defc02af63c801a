import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Tools } from "./tools.ts";
import { given, readOnly, reply } from "../reply.ts";
import { from, selection, to } from "./selection.ts";

const observationsMax = 100;

export function addObservations(server: McpServer, { querent }: Tools): void {
  server.registerTool(
    "observations",
    {
      title: "List observed answers",
      description:
        "Lists what was observed of answers, newest first: which brands an answer names and where, which sources it cites, and with which model it was made. These are the answers that figures are made of. Read the answers themselves with the tool results.",
      inputSchema: z.object({
        ...selection,
        panelId: selection.panelId.optional(),
        promptId: z.string().max(64).optional(),
        runId: z.uuid().optional(),
        entityId: z.uuid().optional().describe("Answers that name it."),
        domain: z.string().max(253).optional().describe("Answers that cite it."),
        from,
        to,
        limit: z.number().int().min(1).max(observationsMax).default(20),
        cursor: z.string().max(512).optional().describe("The nextCursor of the page before."),
      }),
      annotations: readOnly,
    },
    ({ from, to, ...filters }, { mcpReq: { signal } }) =>
      reply(async () => {
        const page = await querent.observations.page(given({ ...filters, observedFrom: from, observedBefore: to }), {
          signal,
        });
        return { ...page };
      }),
  );
}
