import type { ToolAnswer } from "./tools.ts";
import { reply } from "../reply.ts";
import { summariesOf } from "./task-summary.ts";

const resultsMax = 50;

export const results: ToolAnswer<"results"> = ({ querent }, { taskIds = [], batchId }, signal) =>
  reply(async () => {
    const tasks = await Promise.all(taskIds.map((taskId) => querent.tasks.get(taskId, { signal })));
    if (batchId === undefined) return summariesOf(tasks);
    for await (const task of querent.batches.results(batchId, { signal })) {
      if (tasks.push(task) >= resultsMax) break;
    }
    return summariesOf(tasks);
  });
