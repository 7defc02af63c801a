import { namedSchemas } from "./named-schemas.ts";
import { describeOperation } from "./openapi-operation.ts";
import { withReferences } from "./openapi-references.ts";
import { taskSchemas } from "./openapi-tasks.ts";
import { webhooksSent } from "./openapi-webhook.ts";
import { tags } from "./operation.ts";
import { operations } from "./operations.ts";
import { layerProblems, problems } from "./problem.ts";

export interface OpenapiInfo {
  version: string;
  /** URLs of the service. Relative URLs are allowed. */
  servers?: { url: string; description?: string }[];
}

/** The OpenAPI 3.1 document of the whole API, generated from the schemas that validate requests. */
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
      summary: "Asks AI answer platforms questions in batches and records the evidence.",
      description: `${introduction} In addition to the problems listed for an operation, any request can return those of the HTTP layer: ${layerProblems.map((code) => `${problems[code].status} \`${code}\``).join(", ")}.`,
      contact: { name: "The operator of this service" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: info.servers ?? [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooksSent(names),
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "`qrt_...`, issued by the operator." },
        login: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-querent-login",
          description:
            "A person who is signed in, in a browser. Requests also have the header `X-Querent-Login: 1`, and come from the service's own origin. The cookie is named `querent-login` if the service is reached by plain HTTP.",
        },
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

const introduction = `
Every request has the header \`Authorization: Bearer <token>\`. Bodies are JSON in UTF-8. Ids are UUIDv7. Times are ISO 8601 in UTC with milliseconds.

**Submit.** \`POST /v1/tasks/batch\` takes a list of questions and returns 202: each question is now a durable task. To retry, send the same list with the same \`Idempotency-Key\`: nothing is created or charged twice.

**Read.** \`GET /v1/tasks/{task_id}\` returns a task. With \`Prefer: wait=30\` it waits for the task to end. A task is \`pending\` until it is \`completed\`, \`failed\` or \`canceled\`. \`availability\` states why a field is empty.

**Receive webhooks.** Set an endpoint with \`PUT /v1/webhook\`. When a task ends, one signed webhook is sent. Verify \`X-Service-Signature\` over the raw body, and ignore an \`X-Service-Delivery\` that you have already processed.

**Follow the feed.** \`GET /v1/events\` returns every end of a task in order, in pages or as server-sent events. It contains all events, even if no webhook was received.

**Points.** Points are held when a batch is accepted, captured when a task completes, and released when a task fails or is canceled.

**Problems** are \`application/problem+json\` (RFC 9457) with a stable \`code\`. The \`type\` is the URL of a page that explains it.
`.trim();
