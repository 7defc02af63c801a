import type { TaskRecord } from "@querent/client";
import type { ToolOutput } from "../tool-table.ts";

/** Longer answers are cut, because a model's context is limited. `contentCut` shows it. */
const contentCharactersMax = 20_000;
const sourcesMax = 50;

type Summaries = ToolOutput["results"];

export const summariesOf = (tasks: readonly TaskRecord[]): Summaries => ({ tasks: tasks.map(summaryOf) });

function summaryOf(task: TaskRecord): Summaries["tasks"][number] {
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
