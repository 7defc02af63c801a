import type { TaskRecord } from "@querent/client";
import { z } from "zod";

/** Longer answers are cut, because a model's context is limited. `contentCut` shows it. */
const contentCharactersMax = 20_000;
const sourcesMax = 50;

/** The parts of a task that are useful for a model. */
export const taskSummaries = z.object({
  tasks: z.array(
    z.object({
      taskId: z.string(),
      platformCode: z.string(),
      state: z.string(),
      question: z.string(),
      content: z.string().nullable(),
      contentCut: z.boolean(),
      sources: z.array(z.object({ title: z.string(), url: z.string() })),
      failure: z.string().nullable(),
      chargedPoints: z.number(),
    }),
  ),
});
type TaskSummaries = z.infer<typeof taskSummaries>;

export const summariesOf = (tasks: readonly TaskRecord[]): TaskSummaries => ({ tasks: tasks.map(summaryOf) });

function summaryOf(task: TaskRecord): TaskSummaries["tasks"][number] {
  const { taskId, platformCode, state, question, content, chargedPoints } = task;
  return {
    taskId,
    platformCode,
    state,
    question,
    content: content === null ? null : content.slice(0, contentCharactersMax),
    contentCut: (content?.length ?? 0) > contentCharactersMax,
    sources: task.sources.slice(0, sourcesMax).map(({ title, url }) => ({ title, url })),
    failure: task.failure === null ? null : `${task.failure.code}: ${task.failure.message}`,
    chargedPoints,
  };
}
