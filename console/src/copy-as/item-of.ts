import type { SubmissionItem, TaskSummary } from "@querent/client";

type Asked = Pick<TaskSummary, "question" | "platformCode" | "options" | "clientReference" | "tags">;

/** What would have to be submitted for this task. Where its notification goes is not part of the record. */
export function itemOf({ question, platformCode, options, clientReference, tags }: Asked): SubmissionItem {
  return {
    question,
    platformCode,
    options,
    ...(clientReference === null ? {} : { clientReference }),
    ...(tags.length === 0 ? {} : { tags }),
  };
}
