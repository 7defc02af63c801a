import { Type, type Static } from "typebox";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";
import { TaskState } from "./task-state.ts";
import { NotifiedTask } from "./task.ts";

/** The task inside a notification whose result is too large to be sent. Fetch the rest with `GET /v1/tasks/{task_id}`. */
export const OmittedTask = Type.Object({
  taskId: Uuid,
  clientReference: Nullable(Type.String()),
  state: TaskState,
  content: Type.Null(),
  revision: Type.Integer({ minimum: 1 }),
  chargedPoints: Type.Integer({ minimum: 0 }),
  createdAt: Timestamp,
  completedAt: Nullable(Timestamp),
  resultOmitted: Type.Literal(true),
});

/** Notification payload: interface 2.9. One per end of a task, and per new revision of its result. */
export const Notification = Type.Object(
  {
    event: Type.Literal("task.finished"),
    deliveryRevision: Type.Integer({
      minimum: 1,
      description: "1 at first; +1 for each deliberate redelivery and each new revision of the result.",
    }),
    task: Type.Union([NotifiedTask, OmittedTask]),
  },
  { description: "Sent when a task ends, whatever its end, and when its result is replaced." },
);
export type Notification = Static<typeof Notification>;
