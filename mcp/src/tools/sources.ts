import type { McpServer } from "@modelcontextprotocol/server";
import type { SourceCounts } from "@querent/client";
import { z } from "zod";
import type { Tools } from "./tools.ts";
import { given, readOnly, reply } from "../reply.ts";
import { from, selection, to } from "./selection.ts";

const sourcesMax = 200;

export function addSources(server: McpServer, { querent }: Tools): void {
  server.registerTool(
    "sources",
    {
      title: "Count sources",
      description:
        "Counts the domains that answers cite, or their addresses: those of most answers first. These are counts of a sample, without intervals.",
      inputSchema: z.object({
        ...selection,
        panelId: selection.panelId.optional(),
        by: z.enum(["domain", "address"]).optional().describe("Default: domain."),
        from,
        to,
        limit: z.number().int().min(1).max(sourcesMax).default(20),
      }),
      annotations: readOnly,
    },
    ({ from, to, ...filters }, { mcpReq: { signal } }) =>
      reply(
        async () => ({
          ...(await querent.observations.sources(given({ ...filters, observedFrom: from, observedBefore: to }), {
            signal,
          })),
        }),
        describe,
      ),
  );
}

/** Each count with that of all answers, so that neither is quoted alone. */
function describe({ sources, answers, from, to }: SourceCounts): string {
  const lines = sources.map((source) => `${JSON.stringify(source)} of ${answers} answers`);
  return [
    `Sources cited by ${answers} observed answers from ${from} to ${to}, as counted, without intervals:`,
    ...lines,
  ].join("\n");
}
