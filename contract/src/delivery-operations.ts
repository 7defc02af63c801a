import { Type } from "typebox";
import { DeliveryDetail, DeliveryPage, DeliveryRecord, DeliveryState, EventPage } from "./delivery.ts";
import { Notification } from "./notification.ts";
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
    "Newest first. Kept a week longer than results. Needs `webhook:manage`, since addresses and answers of receivers may hold secrets. Filters combine with AND. What no index holds, as `destination`, is looked for within a fraction of a second: a page may then hold fewer than `limit` deliveries, even none, while `nextCursor` is there to go on with. Only `nextCursor` null says that there are no more.",
  scope: "webhook:manage",
  query: Closed({
    state: Type.Optional(DeliveryState),
    taskId: Type.Optional(Uuid),
    destination: Type.Optional(
      StorableText({
        minLength: 1,
        maxLength: 2048,
        description: "An address, exactly, or an origin: `https://hooks.example.com`.",
      }),
    ),
    createdFrom: Type.Optional(UtcTimestamp),
    createdBefore: Type.Optional(UtcTimestamp),
    limit: pageLimit,
    cursor,
  }),
  replies: { 200: { description: "A page of deliveries.", content: json(DeliveryPage) } },
  problems: usual,
});

export const getDelivery = operation({
  id: "getDelivery",
  method: "GET",
  path: "/v1/deliveries/{delivery_id}",
  tag: "Deliveries",
  summary: "Read one delivery, with every attempt",
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
  summary: "Read the bytes that a delivery sends",
  description:
    "The body byte for byte, to check a signature against: HMAC-SHA256 over exactly these bytes, keyed with the signing secret, is what `X-Service-Signature` of an attempt says. The bytes are kept while the delivery is pending. After that they are made from the task as it is now, and `Body-Origin` says `rebuilt`: they are the same unless the result has been replaced or has expired since.",
  scope: "webhook:manage",
  params: deliveryId,
  replies: {
    200: {
      description: "The body.",
      content: json(Notification),
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
  description:
    "Makes a new delivery of the same task: a new id, `deliveryRevision` one higher, the body made from the task as it is now, to the task's `webhookUrl` or the account's address as it is now. It has all attempts before it. A delivery of the task that was still waiting for its next attempt is `superseded`. Refused while one is being sent, and while there is no address.",
  scope: "webhook:manage",
  params: deliveryId,
  replies: { 202: { description: "The new delivery.", content: json(DeliveryRecord) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});

export const listEvents = operation({
  id: "listEvents",
  method: "GET",
  path: "/v1/events",
  tag: "Events",
  summary: "Follow the ends of tasks",
  description:
    'Every end of a task, and every new revision of its result, in an order that never changes: an event never appears before one that was read already. Pages of JSON; with `Accept: text/event-stream` server-sent events that go on as tasks end (`id`: the cursor, `event`: `task.finished`, `data`: the same payload as the notification, and beyond the standard `delivery`: its `X-Service-Delivery`), resumed by `Last-Event-ID` (or `after`), with a comment every 15 seconds. Without a position it begins at the oldest event that is kept; `after=latest` begins now. Redeliveries are no events. Events are kept as long as deliveries; a position from before that is answered with 410, and its `Link: rel="first"` leads to the oldest event that is kept. A page may hold fewer than `limit` events when they are large. A reader that takes nothing for a minute is cut off, and resumes.',
  scope: "tasks:read",
  headers: Type.Object({
    "last-event-id": Type.Optional(
      Type.String({ maxLength: 512, description: "The `id` of the last event that was received." }),
    ),
  }),
  query: Closed({
    after: Type.Optional(
      Type.String({ minLength: 1, maxLength: 512, description: "A cursor of the feed, or `latest`: events after it." }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "Events a page." })),
  }),
  replies: {
    200: {
      description: "A page, or the stream.",
      content: { "application/json": EventPage, "text/event-stream": Type.String() },
    },
  },
  problems: [...usual, "gone"],
});
