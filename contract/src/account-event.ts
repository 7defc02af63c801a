import { Type, type Static, type TObject } from "typebox";
import { FoundChange, FoundInstrumentChange } from "./change.ts";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";
import { RunWaves } from "./waves.ts";

/** The types of events that belong to no single task. */
export const accountEventTypes = [
  "panel.run.finished",
  "panel.change.detected",
  "panel.instrument.changed",
  "cap.reached",
] as const;
export type AccountEventType = (typeof accountEventTypes)[number];

export const eventTypes = ["task.finished", ...accountEventTypes] as const;
export const EventType = Type.Enum([...eventTypes]);
export type EventType = Static<typeof EventType>;

/** How the tasks of a run ended. */
export const RunEnd = Type.Object({
  completed: Type.Integer({ minimum: 0 }),
  failed: Type.Integer({ minimum: 0 }),
  canceled: Type.Integer({ minimum: 0 }),
  failedByCode: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
    description: "The number of failed tasks with each failure code.",
  }),
});
export type RunEnd = Static<typeof RunEnd>;

export const RunFinished = Type.Object({
  panelId: Uuid,
  runId: Uuid,
  revision: Type.Integer({ minimum: 1, description: "The revision of the panel that was run." }),
  slot: Nullable(Timestamp, { description: "The time of the schedule. Null: it was requested." }),
  startedAt: Timestamp,
  endedAt: Timestamp,
  taskCount: Type.Integer({ minimum: 1 }),
  tasks: RunEnd,
  waves: Nullable(RunWaves, { description: "Null: the run asked everything at once." }),
});

export const capPeriods = ["run", "day", "month"] as const;
export const capThresholds = [50, 80, 100] as const;

export const CapReached = Type.Object({
  kind: Type.Enum(["account", "panel", "tag"]),
  subject: Nullable(Type.String({ description: "The panel's id, or the tag. Null: the cap of the account." })),
  period: Type.Enum([...capPeriods]),
  periodStart: Type.String({
    format: "date",
    description: "The first day (UTC) of the day or month. For `run`, the day of the run or batch.",
  }),
  thresholdPercent: Type.Enum([...capThresholds], {
    description:
      "The highest threshold that was reached. Each is announced once in a period, and that of a run or batch once in a day.",
  }),
  limitPoints: Type.Integer({ minimum: 0 }),
  usedPoints: Type.Integer({ minimum: 0, description: "The points held in the period, with those just held." }),
  refusedPoints: Nullable(Type.Integer({ minimum: 0 }), {
    description: "The points of the run or batch that was refused because of this cap. Null: nothing was refused.",
  }),
});
export type CapReached = Static<typeof CapReached>;

const notificationOf = <Type extends AccountEventType, Data extends TObject>(
  type: Type,
  data: Data,
  description: string,
) =>
  Type.Object(
    {
      event: Type.Literal(type),
      deliveryRevision: Type.Integer({
        minimum: 1,
        description: "1 at first, and 1 higher with each requested redelivery.",
      }),
      eventId: Uuid,
      createdAt: Timestamp,
      data,
    },
    { description },
  );

export const PanelRunFinished = notificationOf(
  "panel.run.finished",
  RunFinished,
  "Sent when all tasks of a panel's run have ended.",
);
export const PanelChangeDetected = notificationOf(
  "panel.change.detected",
  FoundChange,
  "Sent when a figure of a panel has changed by more than chance explains.",
);
export const PanelInstrumentChanged = notificationOf(
  "panel.instrument.changed",
  FoundInstrumentChange,
  "Sent when what a panel is measured with has changed, such as the version of a model.",
);
export const CapReachedNotification = notificationOf(
  "cap.reached",
  CapReached,
  "Sent when 50, 80 or 100 percent of a cap are used, and when a run or batch is refused because of it.",
);

/** What each type of event carries in `data`. */
export interface AccountEventData {
  "panel.run.finished": Static<typeof RunFinished>;
  "panel.change.detected": FoundChange;
  "panel.instrument.changed": FoundInstrumentChange;
  "cap.reached": CapReached;
}
