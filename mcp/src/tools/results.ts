import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Tools } from "./tools.ts";
import { readOnly, reply } from "../reply.ts";
import { summariesOf, taskSummaries } from "./task-summary.ts";

const resultsMax = 50;

export function addResults(server: McpServer, { querent }: Tools): void {
  server.registerTool(
    "results",
    {
      title: "Read results",
      description: "Returns the current state of tasks, by their ids or by batch. Costs nothing.",
      inputSchema: z.object({
        taskIds: z.array(z.uuid()).max(resultsMax).optional(),
        batchId: z.uuid().optional(),
      }),
      outputSchema: taskSummaries,
      annotations: readOnly,
    },
    ({ taskIds = [], batchId }, { mcpReq: { signal } }) =>
      reply(async () => {
        const tasks = await Promise.all(taskIds.map((taskId) => querent.tasks.get(taskId, { signal })));
        if (batchId === undefined) return summariesOf(tasks);
        for await (const task of querent.batches.results(batchId, { signal })) {
          if (tasks.push(task) >= resultsMax) break;
        }
        return summariesOf(tasks);
      }),
  );
}
