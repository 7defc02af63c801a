import { Type, type Static, type TLiteral, type TObject, type TProperties, type TUnsafe } from "typebox";
import { AlertFinding, AlertRaised } from "./alert.ts";
import { capKinds } from "./cap.ts";
import { FoundChange, FoundInstrumentChange } from "./change.ts";
import { ReportReady } from "./report-schedule.ts";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";
import { TaskState } from "./task-state.ts";
import { NotifiedTask } from "./task.ts";
import { RunWaves } from "./waves.ts";

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

const RunFinished = Type.Object({
  panelId: Uuid,
  runId: Uuid,
  revision: Type.Integer({ minimum: 1, description: "The revision of the panel that was run." }),
  slot: Nullable(Timestamp, { description: "The time of the schedule. Null: it was requested." }),
  startedAt: Timestamp,
  endedAt: Timestamp,
  taskCount: Type.Integer({ minimum: 1 }),
  tasks: RunEnd,
  waves: Nullable(RunWaves, { description: "Null if the run asked everything at once." }),
});

export const capPeriods = ["run", "day", "month"] as const;
export const capThresholds = [50, 80, 100] as const;

const CapReached = Type.Object({
  kind: Type.Enum([...capKinds]),
  subject: Nullable(
    Type.String({ description: "The id of the project or the panel, or the tag. Null: the cap of the account." }),
  ),
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

/** The payload of an event that belongs to no single task: it goes to the endpoint of an account that has subscribed to its type. */
const toSubscribers = <Data extends TObject>(data: Data) => ({
  sentTo: "Sent to the account's endpoint if the account has subscribed to this type with `PUT /v1/webhook`.",
  payload: {
    deliveryRevision: Type.Integer({
      minimum: 1,
      description: "1 at first, and 1 higher with each requested redelivery.",
    }),
    eventId: Uuid,
    createdAt: Timestamp,
    data,
  },
});

/**
 * All events of which the service notifies accounts, by type. The webhooks of the OpenAPI document, the feed, the types that can be
 * subscribed to, and the client's types are derived from this table. `name` is the name of the payload's schema.
 */
const events = {
  "task.finished": {
    name: "Notification",
    summary: "A task has ended",
    description: "Sent when a task completes, fails or is canceled, and when its result is replaced.",
    sentTo: "Sent to the task's `webhookUrl`, or to the account's endpoint.",
    payload: {
      deliveryRevision: Type.Integer({
        minimum: 1,
        description:
          "1 when the task ends, and 1 higher with each requested redelivery and each new revision of the result.",
      }),
      task: Type.Union([NotifiedTask, OmittedTask]),
    },
  },
  "panel.run.finished": {
    name: "PanelRunFinished",
    summary: "A run of a panel has ended",
    description: "Sent when all tasks of a panel's run have ended.",
    ...toSubscribers(RunFinished),
  },
  "panel.change.detected": {
    name: "PanelChangeDetected",
    summary: "A figure has changed",
    description: "Sent when a figure of a panel has changed by more than chance explains.",
    ...toSubscribers(FoundChange),
  },
  "panel.instrument.changed": {
    name: "PanelInstrumentChanged",
    summary: "An instrument has changed",
    description: "Sent when what a panel is measured with has changed, such as the version of a model.",
    ...toSubscribers(FoundInstrumentChange),
  },
  "cap.reached": {
    name: "CapReachedNotification",
    summary: "A cap is nearly used up",
    description: "Sent when 50, 80 or 100 percent of a cap are used, and when a run or batch is refused because of it.",
    ...toSubscribers(CapReached),
  },
  "report.ready": {
    name: "ReportReadyNotification",
    summary: "A report is ready",
    description: "Sent when a report that was scheduled has been made and is sent to its recipients.",
    ...toSubscribers(ReportReady),
  },
  "alert.raised": {
    name: "AlertRaisedNotification",
    summary: "An alert has something to tell",
    description: "Sent when an alert of the account is told to its channels and recipients.",
    ...toSubscribers(AlertRaised),
  },
} as const satisfies Record<string, EventRow>;

interface EventRow {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly sentTo: string;
  /** The members of the notification beside `event`. */
  readonly payload: TProperties;
}

type Events = typeof events;
export type EventType = keyof Events;
/** The types of events that belong to no single task. */
export type AccountEventType = Exclude<EventType, "task.finished">;
/** What each type of event carries in `data`. */
export type AccountEventData = { readonly [Type in AccountEventType]: Static<Events[Type]["payload"]["data"]> };

export const eventTypes = Object.keys(events) as EventType[];
export const EventType = Type.Enum(eventTypes);

type NotificationSchema<Type extends EventType, Payload extends TProperties> = TObject<
  { event: TLiteral<Type> } & Payload
>;
type NotificationSchemas = { [Type in EventType]: NotificationSchema<Type, Events[Type]["payload"]> };
const notifications = Object.fromEntries(
  eventTypes.map((type) => {
    const { payload, description } = events[type];
    return [type, Type.Object({ event: Type.Literal(type), ...payload }, { description })];
  }),
) as unknown as NotificationSchemas;

/** The events in the order of the table, as the OpenAPI document describes their webhooks. */
export const announcedEvents = eventTypes.map((type) => {
  const { name, summary, sentTo } = events[type];
  return { type, name, summary, sentTo, schema: notifications[type] };
});

/** The payload of the webhook for the end of a task, and for a new revision of its result. Without a subscription, there is no other. */
export const Notification = notifications["task.finished"];
export type Notification = Static<typeof Notification>;

/** The payload of a webhook, by `event`. An account gets only the types that it has subscribed to. */
export type AnyNotification = { [Type in EventType]: Static<NotificationSchemas[Type]> }[EventType];
export const AnyNotification = Type.Union(Object.values(notifications), {
  description: "The payload of a webhook, by `event`. Without a subscription, only `task.finished` is sent.",
}) as unknown as TUnsafe<AnyNotification>;

/** The schemas of events that have a name in the OpenAPI document. */
export const eventSchemas = {
  ...Object.fromEntries(announcedEvents.map(({ name, schema }) => [name, schema])),
  AnyNotification,
  RunFinished,
  RunEnd,
  CapReached,
  ReportReady,
  AlertRaised,
  AlertFinding,
};
