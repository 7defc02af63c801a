/** The operations of the API that the console uses, with the types of the contract. */
import type {
  DeliveryDetail,
  DeliveryPage,
  DeliveryRecord,
  PlatformList,
  Quote,
  SubmissionAccepted,
  TaskRecord,
  TaskState,
  TaskSummary,
  UsageRecord,
} from "@querent/contract";
import { request, type Call, type Reply } from "./request.ts";

export interface TaskQuery {
  readonly state?: TaskState;
  readonly platformCode?: string;
  readonly batchId?: string;
  readonly tag?: string;
  readonly clientReference?: string;
  readonly text?: string;
  readonly createdFrom?: string;
  readonly createdBefore?: string;
  readonly limit?: string;
  readonly cursor?: string;
}

export interface TaskPage {
  readonly tasks: readonly TaskSummary[];
  readonly nextCursor: string | null;
}

/** The account and its points; also how a token is tried. */
export const readUsage = (call: Call) => body<UsageRecord>("/v1/usage", call);

export const listTasks = (query: TaskQuery, call: Call) => body<TaskPage>(`/v1/tasks${search(query)}`, call);

/** Held until the task ends, 20 seconds at most, when `call` says `Prefer: wait`. Null when nothing changed. */
export const getTask = (taskId: string, call: Call): Promise<Reply<TaskRecord> | null> =>
  request(`/v1/tasks/${encodeURIComponent(taskId)}`, call);

export const cancelTask = (taskId: string, call: Call) =>
  body<TaskRecord>(`/v1/tasks/${encodeURIComponent(taskId)}/cancellation`, { ...call, method: "POST" });

/** `key` makes a repeated call the same submission. */
export const submitBatch = (items: string, key: string, call: Call) =>
  body<SubmissionAccepted>("/v1/tasks/batch", {
    ...call,
    method: "POST",
    body: items,
    headers: { "idempotency-key": key },
  });

/** What the items would cost, and what is wrong with them. Accepts nothing. */
export const quoteBatch = (items: string, call: Call) =>
  body<Quote>("/v1/tasks/quote", { ...call, method: "POST", body: items });

export const listPlatforms = (call: Call) => body<PlatformList>("/v1/platforms", call);

export const listDeliveries = (query: { taskId?: string }, call: Call) =>
  body<DeliveryPage>(`/v1/deliveries${search(query)}`, call);

export const getDelivery = (deliveryId: string, call: Call) =>
  body<DeliveryDetail>(`/v1/deliveries/${encodeURIComponent(deliveryId)}`, call);

export const redeliver = (deliveryId: string, call: Call) =>
  body<DeliveryRecord>(`/v1/deliveries/${encodeURIComponent(deliveryId)}/redelivery`, { ...call, method: "POST" });

async function body<Body>(path: string, call: Call): Promise<Body> {
  const reply = await request<Body>(path, call);
  if (reply === null) throw new Error("304 to a request without If-None-Match");
  return reply.body;
}

function search(query: object): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries).toString()}`;
}
