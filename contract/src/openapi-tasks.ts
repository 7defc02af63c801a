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

/**
 * The task record by state, so that generated types are narrowed by it. Only what is true of every task in a state is narrowed:
 * `content` of a completed task is null if the platform returned no text, if only the page was requested, and once it has expired.
 * Members that are null in a state keep the type of the record: generators and clients drop those whose type is null alone, so that a
 * program that reads them does not compile.
 */
const tasksByState: Readonly<Record<TaskState, { readonly name: string; readonly schema: TObject }>> = {
  pending: {
    name: "PendingTask",
    schema: inState(
      "pending",
      "A task that has not ended: the members of its result, its failure and its end are null.",
      {
        expired: Type.Literal(false),
        progress: Progress,
      },
    ),
  },
  completed: {
    name: "CompletedTask",
    schema: inState("completed", "A task with a result. The members of the result are empty once it has expired.", {
      completedAt: Timestamp,
      expiresAt: Timestamp,
    }),
  },
  failed: {
    name: "FailedTask",
    schema: inState("failed", "A task that failed: the members of its result are null.", {
      expired: Type.Literal(false),
      failure: Failure,
      completedAt: Timestamp,
    }),
  },
  canceled: {
    name: "CanceledTask",
    schema: inState("canceled", "A task that was canceled: the members of its result are null.", {
      expired: Type.Literal(false),
      completedAt: Timestamp,
      canceledAt: Timestamp,
    }),
  },
};

function inState(state: TaskState, description: string, narrowed: Readonly<Record<string, TSchema>>): TObject {
  return Type.Object({ ...TaskRecord.properties, state: Type.Literal(state), ...narrowed }, { description });
}
