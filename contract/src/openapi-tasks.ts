import { Type, type TObject, type TSchema } from "typebox";
import { Failure } from "./failure.ts";
import { withReferences, type Json } from "./openapi-references.ts";
import { Timestamp } from "./scalars.ts";
import { Progress } from "./task-progress.ts";
import type { TaskState } from "./task-state.ts";
import { TaskRecord } from "./task.ts";

/** `TaskRecord` in the document: one of the four. */
export function taskSchemas(names: Map<unknown, string>): Record<string, Json> {
  const variants = Object.entries(tasksByState);
  const reference = (name: string) => `#/components/schemas/${name}`;
  return {
    TaskRecord: {
      description: "One task: its question, state, answer and points.",
      oneOf: variants.map(([, { name }]) => ({ $ref: reference(name) })),
      discriminator: {
        propertyName: "state",
        mapping: Object.fromEntries(variants.map(([state, { name }]) => [state, reference(name)])),
      },
    },
    ...Object.fromEntries(variants.map(([, { name, schema }]) => [name, withReferences(schema, names)])),
  };
}

const nothing = Type.Null();
const withoutResult = {
  content: nothing,
  pageHtml: nothing,
  modelVersion: nothing,
  observedAt: nothing,
  reasoningProcess: nothing,
  searchProcess: nothing,
  screenshotUrl: nothing,
  shareUrl: nothing,
  truncatedBy: nothing,
  availability: nothing,
  provenance: nothing,
  expired: Type.Literal(false),
  expiresAt: nothing,
} as const;

/**
 * The task record by state, so that generated types are narrowed by it. Only what is true of every task in a state is narrowed:
 * `content` of a completed task is null if the platform returned no text, if only the page was requested, and once it has expired.
 */
const tasksByState: Readonly<Record<TaskState, { readonly name: string; readonly schema: TObject }>> = {
  pending: {
    name: "PendingTask",
    schema: inState("pending", {
      ...withoutResult,
      progress: Progress,
      failure: nothing,
      completedAt: nothing,
      canceledAt: nothing,
    }),
  },
  completed: {
    name: "CompletedTask",
    schema: inState("completed", {
      progress: nothing,
      failure: nothing,
      completedAt: Timestamp,
      canceledAt: nothing,
      expiresAt: Timestamp,
    }),
  },
  failed: {
    name: "FailedTask",
    schema: inState("failed", {
      ...withoutResult,
      progress: nothing,
      failure: Failure,
      completedAt: Timestamp,
      canceledAt: nothing,
    }),
  },
  canceled: {
    name: "CanceledTask",
    schema: inState("canceled", {
      ...withoutResult,
      progress: nothing,
      failure: nothing,
      completedAt: Timestamp,
      canceledAt: Timestamp,
    }),
  },
};

function inState(state: TaskState, narrowed: Readonly<Record<string, TSchema>>): TObject {
  return Type.Object({ ...TaskRecord.properties, state: Type.Literal(state), ...narrowed });
}
