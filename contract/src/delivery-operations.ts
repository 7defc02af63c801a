import { Type } from "typebox";
import {
  DeliveryDetail,
  DeliveryPage,
  DeliveryRecord,
  DeliveryState,
  EventPage,
  redeliveryRevisionMax,
} from "./delivery.ts";
import { AnyNotification, eventTypes } from "./event.ts";
import { cursor, headers, json, operation, pageLimit, usual, withBody } from "./operation.ts";
import { Closed, StorableText, UtcTimestamp, Uuid } from "./scalars.ts";

const deliveryId = Closed({ delivery_id: Uuid });
export const listDeliveries = operation({
  id: "listDeliveries",
  method: "GET",
  path: "/v1/deliveries",
  tag: "Deliveries",
  summary: "List deliveries",
  description:
    "Newest first. Deliveries are stored for a week longer than results. Requires `webhook:manage`, because URLs and responses of receivers may contain secrets. Filters are combined with AND. A search that no index supports, such as `destination`, stops after a fraction of a second: the page can then have fewer than `limit` deliveries, or none, although there are more. Continue with `nextCursor` until it is null.",
  scope: "webhook:manage",
  isList: true,
  query: Closed({
    state: Type.Optional(DeliveryState),
    taskId: Type.Optional(Uuid),
    destination: Type.Optional(
      StorableText({
        minLength: 1,
        maxLength: 2048,
        description: "An exact URL, or an origin such as `https://hooks.example.com`.",
      }),
    ),
    createdFrom: Type.Optional(UtcTimestamp),
    createdBefore: Type.Optional(UtcTimestamp),
    limit: pageLimit,
    cursor,
  }),
  replies: {
    200: { description: "A page of deliveries.", headers: { "As-Of": headers.asOf }, content: json(DeliveryPage) },
  },
  problems: usual,
});

export const getDelivery = operation({
  id: "getDelivery",
  method: "GET",
  path: "/v1/deliveries/{delivery_id}",
  tag: "Deliveries",
  summary: "Read one delivery with its attempts",
  scope: "webhook:manage",
  params: deliveryId,
  replies: { 200: { description: "The delivery.", content: json(DeliveryDetail) } },
  problems: [...usual, "not_found"],
});

export const getDeliveryBody = operation({
  id: "getDeliveryBody",
  method: "GET",
  path: "/v1/deliveries/{delivery_id}/body",
  tag: "Deliveries",
  summary: "Read the body of a delivery",
  description:
    "Returns the exact body, for verifying a signature: the `X-Service-Signature` of an attempt is the HMAC-SHA256 of these bytes, with the signing secret as the key. The body is stored while the delivery is pending. Afterwards it is created from the current task record, with `Body-Origin: rebuilt`, and is identical unless the result has been replaced or has expired since.",
  scope: "webhook:manage",
  params: deliveryId,
  replies: {
    200: {
      description: "The body.",
      content: json(AnyNotification),
      headers: { "Body-Origin": headers.bodyOrigin },
    },
  },
  problems: [...usual, "not_found"],
});

export const redeliver = operation({
  id: "redeliver",
  method: "POST",
  path: "/v1/deliveries/{delivery_id}/redelivery",
  tag: "Deliveries",
  summary: "Redeliver",
  description: `Creates a new delivery for the same task or event of the account, with a new id, a \`deliveryRevision\` one higher, the current task record as its body, and the full number of attempts. It is sent to the task's \`webhookUrl\` or to the account's current endpoint. A delivery of the task that is waiting for its next attempt becomes \`superseded\`. Rejected while a delivery of the task is being sent, if there is no endpoint, and once the task has had ${redeliveryRevisionMax} deliveries.`,
  scope: "webhook:manage",
  free: true,
  params: deliveryId,
  replies: { 202: { description: "The new delivery.", content: json(DeliveryRecord) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});

export const listEvents = operation({
  id: "listEvents",
  method: "GET",
  path: "/v1/events",
  tag: "Events",
  summary: "Follow the event feed",
  description:
    'Every end of a task and every new revision of a result, and with `types` the events of the account that it has subscribed to (see `PUT /v1/webhook`), in an order that never changes: no event is inserted before one that has been read. Redeliveries are not events. Returns pages of JSON or, with `Accept: text/event-stream`, server-sent events. The fields of a server-sent event are `id` (the cursor), `event` (the type, such as `task.finished`), `data` (the payload of the webhook) and, in addition to the standard, `delivery` (the `X-Service-Delivery`). A comment is sent every 15 seconds. Resume with `Last-Event-ID` or `after`. Without a position, the feed starts at the oldest stored event. `after=latest` starts at the present. Events are stored as long as deliveries. A position before the oldest stored event returns 410 with the code `gone` and a `Link: rel="first"` to it. A position whose event no longer exists, because the database was restored or failed over without its latest changes, returns 410 with the code `events_replaced`. In both cases, `resumeAfter` is the cursor after which to continue. A page can have fewer than `limit` events if they are large. A stream whose reader receives nothing for a minute is closed, and can be resumed.',
  scope: "tasks:read",
  headers: Type.Object({
    "last-event-id": Type.Optional(
      Type.String({ maxLength: 512, description: "The `id` of the last event received." }),
    ),
  }),
  query: Closed({
    after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: "Returns the events after this cursor, or after `latest`.",
      }),
    ),
    types: Type.Optional(
      Type.String({
        pattern: `^(${eventTypes.map((type) => type.replaceAll(".", "\\.")).join("|")})(,(${eventTypes.map((type) => type.replaceAll(".", "\\.")).join("|")})){0,9}$`,
        description: `The types of events to return, separated by commas: ${eventTypes.map((type) => `\`${type}\``).join(", ")}. Default: \`task.finished\`.`,
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "Maximum number of events per page." }),
    ),
  }),
  replies: {
    200: {
      description: "A page, or a stream.",
      content: { "application/json": EventPage, "text/event-stream": Type.String() },
    },
  },
  problems: [...usual, "gone", "events_replaced"],
});
