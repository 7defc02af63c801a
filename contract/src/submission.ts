import { Type, type Static } from "typebox";
import { Closed, HttpsUrl, Nullable, OptionalOrNull, StorableText, Timestamp, UtcTimestamp, Uuid } from "./scalars.ts";
import { SubmittedOptions } from "./question-options.ts";

/** One item of a submission. Unknown members are rejected, and `null` is the same as omitting a member. */
export const SubmissionItem = Closed(
  {
    question: StorableText({
      minLength: 1,
      description: "The question: 1 to 10,000 characters after trimming. Must not be blank.",
    }),
    platformCode: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "Code of the answer platform, as listed by `GET /v1/platforms`.",
    }),
    options: OptionalOrNull(SubmittedOptions),
    webhookUrl: OptionalOrNull(HttpsUrl),
    clientReference: OptionalOrNull(
      StorableText({ minLength: 1, maxLength: 255, description: "Your own reference, returned as sent." }),
    ),
    tags: OptionalOrNull(
      Type.Array(StorableText({ minLength: 1, maxLength: 64, description: "A tag." }), {
        maxItems: 10,
        description: "Up to 10 tags.",
      }),
    ),
    notBefore: OptionalOrNull(UtcTimestamp),
    startBefore: OptionalOrNull(UtcTimestamp),
    runTimeoutSeconds: OptionalOrNull(
      Type.Integer({
        minimum: 5,
        maximum: 1800,
        description:
          "The task's maximum run time in seconds. Time in the queue does not count. Default: the platform's value.",
      }),
    ),
    priority: OptionalOrNull(
      Type.Integer({
        minimum: 0,
        maximum: 9,
        description: "Orders the tasks of your account. 9 is the highest priority. Default: 5.",
      }),
    ),
  },
  {
    description: "One question for one platform.",
    examples: [
      {
        question: "How fine should I grind for espresso?",
        platformCode: "sample",
        options: { deepAnalysis: true },
        clientReference: "espresso-1",
        tags: ["coffee"],
      },
    ],
  },
);
export type SubmissionItem = Static<typeof SubmissionItem>;

/** The request body of a submission. The upper bound is the service's (`QUERENT_MAX_BATCH_ITEMS`, 1,000 by default). */
export const Submission = Type.Array(SubmissionItem, {
  minItems: 1,
  description: "The questions: 1 to 1,000 items by default.",
});

export const SubmittedTask = Type.Object({
  taskId: Uuid,
  clientReference: Nullable(Type.String()),
  state: Type.Literal("pending"),
  statusUrl: Type.String({ description: "Relative path: `/v1/tasks/<task_id>`." }),
});

/** The response to a submission. */
export const SubmissionAccepted = Type.Object({
  acceptedCount: Type.Integer({ minimum: 1 }),
  tasks: Type.Array(SubmittedTask, { description: "One entry per item, in the order of the list." }),
  batchId: Uuid,
  createdAt: Timestamp,
  estimatedPoints: Type.Integer({
    minimum: 0,
    description: "The points held for the batch. A task's final cost is its `chargedPoints`.",
  }),
});
export type SubmissionAccepted = Static<typeof SubmissionAccepted>;
