import { Type, type TObject, type TSchema } from "typebox";
import { AccountLimits, AccountPage, AccountRecord, AccountRequest, PointsGrant } from "./account.ts";
import { BatchCancellation, BatchPage, BatchRecord } from "./batch.ts";
import { MediaCard, ProductCard, Source, VideoCard } from "./cards.ts";
import {
  DeliveryAttempt,
  DeliveryDetail,
  DeliveryPage,
  DeliveryRecord,
  EventPage,
  FeedEvent,
  RecoveryReply,
  RecoveryRequest,
  WebhookTest,
  WebhookTestReply,
} from "./delivery.ts";
import { Engine, NodeRecord, PlatformLimits, QueueRecord } from "./engine.ts";
import { EvidenceKeys } from "./evidence.ts";
import { Notification } from "./notification.ts";
import type { Operation } from "./operation.ts";
import { operations } from "./operations.ts";
import { Overview, OverviewBucket, OverviewPeriod } from "./overview.ts";
import { PlatformList, PlatformRecord } from "./platform.ts";
import { layerProblems, Problem, problems, type ProblemCode } from "./problem.ts";
import { Quote } from "./quote.ts";
import { Timestamp } from "./scalars.ts";
import {
  Failure,
  Progress,
  SubmissionAccepted,
  SubmissionItem,
  TaskOptions,
  TaskRecord,
  TaskSummary,
  type TaskState,
} from "./task.ts";
import { IssuedToken, TokenList, TokenRecord, TokenRequest } from "./token.ts";
import { LedgerEntry, LedgerPage, PointsBalance, UsageDay, UsageDays, UsageRecord } from "./usage.ts";
import { SecretRotation, WebhookChange, WebhookRecord } from "./webhook.ts";

/** Schemas with a name in the document, so that code generators create one type for each. */
const named = {
  SubmissionItem,
  SubmissionAccepted,
  TaskOptions,
  TaskRecord,
  TaskSummary,
  Source,
  ProductCard,
  VideoCard,
  MediaCard,
  BatchRecord,
  BatchPage,
  BatchCancellation,
  Quote,
  PlatformRecord,
  PlatformList,
  WebhookRecord,
  WebhookChange,
  SecretRotation,
  WebhookTest,
  WebhookTestReply,
  RecoveryRequest,
  RecoveryReply,
  DeliveryRecord,
  DeliveryAttempt,
  DeliveryDetail,
  DeliveryPage,
  FeedEvent,
  EventPage,
  LedgerEntry,
  LedgerPage,
  Overview,
  OverviewPeriod,
  OverviewBucket,
  PointsBalance,
  UsageRecord,
  UsageDays,
  UsageDay,
  TokenRecord,
  TokenList,
  TokenRequest,
  IssuedToken,
  Engine,
  QueueRecord,
  NodeRecord,
  PlatformLimits,
  AccountRecord,
  AccountPage,
  AccountRequest,
  AccountLimits,
  PointsGrant,
  EvidenceKeys,
  Notification,
  Problem,
} satisfies Record<string, TSchema>;

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

/** `TaskRecord` in the document: one of the four. */
function taskSchemas(names: Map<unknown, string>): Record<string, Json> {
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

/** The descriptions of the tags. */
const tags: Readonly<Record<string, string>> = {
  Tasks: "Questions, each with its state, answer and points.",
  Batches: "The tasks of one submission.",
  Platforms: "The sources of answers.",
  Webhook: "The webhook endpoint and the signing secret.",
  Deliveries: "Webhook deliveries with their attempts.",
  Events: "The ends of tasks, in order.",
  Usage: "Points and their usage.",
  Tokens: "Access tokens of the account.",
  Operator: "Operations over all accounts.",
  Pages: "Pages that are open to anyone who has the URL.",
  Service: "The process and its documents.",
  Notifications: "The webhooks that the service sends.",
};

const introduction = `
Every request has the header \`Authorization: Bearer <token>\`. Bodies are JSON in UTF-8. Ids are UUIDv7. Times are ISO 8601 in UTC with milliseconds.

**Submit.** \`POST /v1/tasks/batch\` takes a list of questions and returns 202: each question is now a durable task. To retry, send the same list with the same \`Idempotency-Key\`: nothing is created or charged twice.

**Read.** \`GET /v1/tasks/{task_id}\` returns a task. With \`Prefer: wait=30\` it waits for the task to end. A task is \`pending\` until it is \`completed\`, \`failed\` or \`canceled\`. \`availability\` states why a field is empty.

**Receive webhooks.** Set an endpoint with \`PUT /v1/webhook\`. When a task ends, one signed webhook is sent. Verify \`X-Service-Signature\` over the raw body, and ignore an \`X-Service-Delivery\` that you have already processed.

**Follow the feed.** \`GET /v1/events\` returns every end of a task in order, in pages or as server-sent events. It contains all events, even if no webhook was received.

**Points.** Points are held when a batch is accepted, captured when a task completes, and released when a task fails or is canceled.

**Problems** are \`application/problem+json\` (RFC 9457) with a stable \`code\`. The \`type\` is the URL of a page that explains it.
`.trim();

export interface OpenapiInfo {
  version: string;
  /** URLs of the service. Relative URLs are allowed. */
  servers?: { url: string; description?: string }[];
}

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/** The OpenAPI 3.1 document of the whole API, generated from the schemas that validate requests. */
export function openapiDocument(info: OpenapiInfo): Record<string, unknown> {
  const names = new Map<unknown, string>(Object.entries(named).map(([name, schema]) => [schema, name]));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations)
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(operation, names);
  return {
    openapi: "3.1.0",
    info: {
      title: "Querent",
      version: info.version,
      summary: "Asks AI answer platforms questions in batches and records the evidence.",
      description: `${introduction} In addition to the problems listed for an operation, any request can return those of the HTTP layer: ${layerProblems.map((code) => `${problems[code].status} \`${code}\``).join(", ")}.`,
      contact: { name: "The operator of this service" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: info.servers ?? [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: { taskFinished: { post: finishedWebhook(names) } },
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "`qrt_...`, issued by the operator." },
      },
      schemas: {
        ...Object.fromEntries(
          Object.entries(named).map(([name, schema]) => [name, withReferences(schema, names, schema)]),
        ),
        ...taskSchemas(names),
      },
    },
  };
}

function describe(operation: Operation, names: Map<unknown, string>): Record<string, unknown> {
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description ?? `${operation.summary}.`,
    ...(operation.scope === null
      ? { security: [] }
      : { security: [{ bearer: [] }], "x-required-scope": operation.scope }),
    parameters: [
      ...parameters(operation.params, "path", names),
      ...parameters(operation.query, "query", names),
      ...parameters(operation.headers, "header", names),
    ],
    ...(operation.body === undefined
      ? {}
      : {
          requestBody: {
            required: operation.body.required,
            content: { "application/json": { schema: withReferences(operation.body.schema, names) } },
          },
        }),
    responses: { ...replies(operation, names), ...problemReplies(operation.problems) },
  };
}

function parameters(
  schema: TObject | undefined,
  place: "path" | "query" | "header",
  names: Map<unknown, string>,
): unknown[] {
  if (schema === undefined) return [];
  const required = new Set<string>(schema.required ?? []);
  return Object.entries(schema.properties).map(([name, property]) => ({
    name: place === "header" ? titleCased(name) : name,
    in: place,
    required: required.has(name),
    schema: withReferences(property, names),
  }));
}

function replies(operation: Operation, names: Map<unknown, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(operation.replies).map(([status, reply]) => [
      status,
      {
        description: reply.description,
        headers: {
          "X-Request-Id": { schema: { type: "string" } },
          ...Object.fromEntries(
            Object.entries(reply.headers ?? {}).map(([name, schema]) => [
              name,
              { schema: withReferences(schema, names) },
            ]),
          ),
        },
        ...(reply.content === undefined
          ? {}
          : {
              content: Object.fromEntries(
                Object.entries(reply.content).map(([type, schema]) => [
                  type,
                  { schema: withReferences(schema, names) },
                ]),
              ),
            }),
      },
    ]),
  );
}

/** One response per status; several problems may share one. */
function problemReplies(codes: readonly ProblemCode[]): Record<string, unknown> {
  const byStatus = Map.groupBy(codes, (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, shared]) => [
      String(status),
      {
        description: shared.map((code) => `\`${code}\`: ${problems[code].title}`).join("; "),
        headers: { "X-Request-Id": { schema: { type: "string" } } },
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    ]),
  );
}

function finishedWebhook(names: Map<unknown, string>): Record<string, unknown> {
  const header = (name: string, description: string, required = true) => ({
    name,
    in: "header",
    required,
    description,
    schema: { type: "string" },
  });
  return {
    operationId: "taskFinished",
    tags: ["Notifications"],
    summary: "A task has ended",
    description:
      "Sent to the task's `webhookUrl`, or to the account's endpoint. Verify the signature over the raw body, return a 2xx status promptly, and ignore a delivery id that you have already processed.",
    security: [],
    parameters: [
      header(
        "X-Service-Signature",
        "`sha256=<hex>`: HMAC-SHA256 of the raw body, keyed with the account's signing secret.",
      ),
      header("X-Service-Delivery", "Id of the delivery. The same on every automatic retry."),
      header(
        "X-Service-Signature-Previous",
        "The signature with the previous secret, during a rotation with an overlap.",
        false,
      ),
      header("X-Service-Secret-Version", "Version of the signing secret."),
      header("X-Service-Timestamp", "When this attempt was signed: ISO 8601 in UTC."),
      header("Webhook-Id", "The same as `X-Service-Delivery`, as named by Standard Webhooks."),
      header("Webhook-Timestamp", "When this attempt was signed: seconds since 1970."),
      header(
        "Webhook-Signature",
        "`v1,<base64>`: HMAC-SHA256 of `<Webhook-Id>.<Webhook-Timestamp>.<raw body>`, keyed with the same signing secret. During a rotation with an overlap, a second one follows after a space.",
      ),
    ],
    requestBody: { required: true, content: { "application/json": { schema: withReferences(Notification, names) } } },
    responses: { "2XX": { description: "Received. Any other status is retried." } },
  };
}

/** A plain-JSON copy of `schema` in which every nested named schema is a `$ref`. */
function withReferences(schema: unknown, names: Map<unknown, string>, itself?: unknown): Json {
  const name = schema === itself ? undefined : names.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  if (Array.isArray(schema)) return schema.map((element) => withReferences(element, names));
  if (typeof schema !== "object" || schema === null) return schema as Json;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([member, value]) => !member.startsWith("~") && value !== undefined)
      .map(([member, value]) => [member, withReferences(value, names)]),
  );
}

const titleCased = (name: string) =>
  name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());

/** The named schemas, for tests and tools. */
export const namedSchemas: Readonly<Record<string, TSchema>> = named;
