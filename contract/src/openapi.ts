import { namedSchemas } from "./named-schemas.ts";
import { describeOperation } from "./openapi-operation.ts";
import { withReferences } from "./openapi-references.ts";
import { taskSchemas } from "./openapi-tasks.ts";
import { taskFinishedWebhook } from "./openapi-webhook.ts";
import { operations } from "./operations.ts";
import { layerProblems, problems } from "./problem.ts";

export interface OpenapiInfo {
  version: string;
  /** Addresses of the service; relative ones are allowed. */
  servers?: { url: string; description?: string }[];
}

/** The OpenAPI 3.1 document of the whole API, made from the same schemas that validate requests. */
export function openapiDocument(info: OpenapiInfo): Record<string, unknown> {
  const names = new Map<unknown, string>(Object.entries(namedSchemas).map(([name, schema]) => [schema, name]));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations)
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describeOperation(operation, names);
  return {
    openapi: "3.1.0",
    info: {
      title: "Querent",
      version: info.version,
      summary: "Asks AI answer platforms questions, in batches, and brings back evidence.",
      description: `${introduction} Beside those that each operation lists, any address may answer the problems of the HTTP layer: ${layerProblems.map((code) => `${problems[code].status} \`${code}\``).join(", ")}.`,
      contact: { name: "The operator of this service" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: info.servers ?? [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: { taskFinished: { post: taskFinishedWebhook(names) } },
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "`qrt_...`, issued by the operator." },
      },
      schemas: {
        ...Object.fromEntries(
          Object.entries(namedSchemas).map(([name, schema]) => [name, withReferences(schema, names, schema)]),
        ),
        ...taskSchemas(names),
      },
    },
  };
}

/** What each tag of the operations is about. */
const tags: Readonly<Record<string, string>> = {
  Tasks: "Questions, each with its state, answer and points.",
  Batches: "What was submitted together.",
  Platforms: "Where answers come from.",
  Webhook: "Where notifications go, and the secret that signs them.",
  Deliveries: "Notifications on their way, with every attempt.",
  Events: "Every end of a task, in order.",
  Usage: "Points, and what they were spent on.",
  Tokens: "Access tokens of the account.",
  Operator: "What operators see and change, over all accounts.",
  Pages: "What anybody opens who was given the address.",
  Service: "The process itself, and its documents.",
  Notifications: "What the service sends to receivers.",
};

const introduction = `
Every request carries \`Authorization: Bearer <token>\`. Bodies are JSON in UTF-8. Ids are UUIDv7; times are ISO 8601 in UTC with milliseconds.

**Ask.** \`POST /v1/tasks/batch\` takes a list of questions and answers 202: each is a durable task of its own. Send the same \`Idempotency-Key\` and the same list to retry; nothing is done or paid twice.

**Read.** \`GET /v1/tasks/{task_id}\`, with \`Prefer: wait=30\` to wait for the end. A task is \`pending\` until it is \`completed\`, \`failed\` or \`canceled\`. A field that is empty says why in \`availability\`.

**Be told.** Set an address with \`PUT /v1/webhook\`. Each end of a task is announced by one signed HTTPS notification: check \`X-Service-Signature\` over the raw bytes, and drop an \`X-Service-Delivery\` that you have seen.

**Or follow.** \`GET /v1/events\` is every end in order, in pages or as server-sent events. Whoever loses every notification loses no task.

**Points.** A batch's points are held when it is accepted, captured when a task completes, released when it fails or is canceled.

**Problems** are \`application/problem+json\` (RFC 9457) with a stable \`code\`; \`type\` leads to a page about it.
`.trim();
