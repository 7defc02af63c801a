import type { SubmissionItem, TaskSummary } from "@querent/client";

type Asked = Pick<
  TaskSummary,
  "question" | "platformCode" | "options" | "clientReference" | "tags" | "webhookUrl" | "priority"
>;

const defaultPriority = 5;

/** The submission that makes the same task. Start times are left out, since they have passed, and so is the run timeout. */
export function itemOf(task: Asked): SubmissionItem {
  const { question, platformCode, options, clientReference, tags, webhookUrl, priority } = task;
  return {
    question,
    platformCode,
    options,
    ...(clientReference === null ? {} : { clientReference }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(webhookUrl === null ? {} : { webhookUrl }),
    ...(priority === defaultPriority ? {} : { priority }),
  };
}
