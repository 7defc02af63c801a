import { Type, type Static } from "typebox";
import {
  CapReachedNotification,
  PanelChangeDetected,
  PanelInstrumentChanged,
  PanelRunFinished,
} from "./account-event.ts";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";
import { TaskState } from "./task-state.ts";
import { NotifiedTask } from "./task.ts";

/** The task in a notification whose result is too large to be sent. Fetch it with `GET /v1/tasks/{task_id}`. */
export const OmittedTask = Type.Object({
  taskId: Uuid,
  clientReference: Nullable(Type.String()),
  state: TaskState,
  content: Nullable(Type.String(), { description: "Always null." }),
  revision: Type.Integer({ minimum: 1 }),
  chargedPoints: Type.Integer({ minimum: 0 }),
  createdAt: Timestamp,
  completedAt: Nullable(Timestamp),
  resultOmitted: Type.Literal(true),
});

/** The payload of the webhook for the end of a task, and for a new revision of its result. Without a subscription, there is no other. */
export const Notification = Type.Object(
  {
    event: Type.Literal("task.finished"),
    deliveryRevision: Type.Integer({
      minimum: 1,
      description:
        "1 when the task ends, and 1 higher with each requested redelivery and each new revision of the result.",
    }),
    task: Type.Union([NotifiedTask, OmittedTask]),
  },
  { description: "Sent when a task completes, fails or is canceled, and when its result is replaced." },
);
export type Notification = Static<typeof Notification>;

/** The payload of a webhook, by `event`. An account gets only the types that it has subscribed to. */
export const AnyNotification = Type.Union(
  [Notification, PanelRunFinished, PanelChangeDetected, PanelInstrumentChanged, CapReachedNotification],
  { description: "The payload of a webhook, by `event`. Without a subscription, only `task.finished` is sent." },
);
export type AnyNotification = Static<typeof AnyNotification>;
