import {
  api,
  namedSchemas,
  Notification,
  Problem,
  problems,
  type Operation,
  type ProblemCode,
  type Reply,
} from "@querent/contract";
import type { TSchema } from "typebox";
import { compileCheck } from "../../service/src/kernel/validate.ts";
import { examples, notificationExample, problemExample } from "./examples.ts";
import { fieldTable, generated, nameOf, plain, table, typeText, type Schema } from "./schema-text.ts";

const { operations } = api;

/** docs/reference/api.md: every operation with its parameters, bodies, responses and a valid example. */
export function apiPage(): string {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return [
    generated,
    "# The API",
    introduction,
    contents(tags),
    ...tags.flatMap((tag) => [
      `## ${tag}`,
      ...operations.filter((operation) => operation.tag === tag).map((operation) => operationText(operation)),
    ]),
    notificationText(),
    "## Objects",
    "All members are always present, and null or empty if there is no value, except for those of requests that are marked as not required.",
    ...Object.entries(namedSchemas).map(([name, schema]) => objectText(name, schema)),
    "",
  ].join("\n\n");
}

const introduction = `Every request has the header \`Authorization: Bearer <token>\`, except for operations marked "no token". Bodies are JSON in UTF-8. Ids are UUIDv7. Times are ISO 8601 in UTC with milliseconds.
Every response has the header \`X-Request-Id\`. Errors are \`application/problem+json\`, see [Errors](errors.md). The OpenAPI document is [openapi.json](openapi.json). A running service serves it at \`/openapi.json\`, and a viewer at \`/docs\`.

Members can be added to responses and webhooks at any time without a new version. Ignore unknown members. Requests are validated strictly: an unknown member is an error.`;

function contents(tags: readonly string[]): string {
  const rows = tags.flatMap((tag) =>
    operations
      .filter((operation) => operation.tag === tag)
      .map(({ method, path, summary, scope }) => [
        `[\`${method} ${path}\`](#${anchor(summary)})`,
        summary,
        scope === null ? "no token" : `\`${scope}\``,
      ]),
  );
  return table(["Operation", "", "Scope"], rows);
}

function operationText(operation: Operation): string {
  const example = examples[operation.id] ?? {};
  const success = Object.entries(operation.replies).find(([, { content }]) => content !== undefined);
  if (operation.body !== undefined && example.request !== undefined)
    mustBeValid(`${operation.id} request`, operation.body.schema, example.request);
  const replySchema = success?.[1].content?.["application/json"];
  if (replySchema !== undefined && example.reply !== undefined)
    mustBeValid(`${operation.id} reply`, replySchema, example.reply);
  return [
    `### ${operation.summary}`,
    `\`${operation.method} ${operation.path}\` · ${operation.scope === null ? "no token" : `scope \`${operation.scope}\``}`,
    operation.description,
    parameters(operation),
    operation.body === undefined ? undefined : bodyText(operation.body),
    codeBlock("Request", example.request),
    statuses(operation),
    ...Object.values(operation.replies).map((reply) => replyFields(reply)),
    codeBlock("Answer", example.reply),
  ]
    .filter((part) => part !== undefined && part !== "")
    .join("\n\n");
}

function parameters(operation: Operation): string | undefined {
  const places = [
    ["path", operation.params],
    ["query", operation.query],
    ["header", operation.headers],
  ] as const;
  const rows = places.flatMap(([place, schema]) => {
    if (schema === undefined) return [];
    const { properties = {}, required = [] } = plain(schema);
    return Object.entries(properties).map(([name, property]) => [
      `\`${place === "header" ? headerName(name) : name}\``,
      place,
      typeText(property),
      required.includes(name) ? "yes" : "",
      [
        property.description ?? "",
        property.default === undefined ? "" : `Default: \`${JSON.stringify(property.default)}\`.`,
      ]
        .join(" ")
        .trim(),
    ]);
  });
  return rows.length === 0 ? undefined : table(["Parameter", "In", "Type", "Required", ""], rows);
}

function bodyText({ schema, required, bytesMax, type }: NonNullable<Operation["body"]>): string {
  const size = bytesMax >= 1024 ** 2 ? `${bytesMax / 1024 ** 2} MiB` : `${bytesMax / 1024} KiB`;
  const lines = type === undefined ? "" : `\`${type}\`, each line `;
  return `**Body**${required ? "" : " (may be left out)"}: ${lines}${typeText(plain(schema))}, up to ${size}.`;
}

/** Fields of response bodies that are not named objects. */
function replyFields(reply: Reply): string | undefined {
  const schema = reply.content?.["application/json"];
  if (schema === undefined || nameOf(schema) !== undefined) return undefined;
  const { properties } = plain(schema);
  return properties === undefined || Object.keys(properties).length === 0
    ? undefined
    : fieldTable(plain(schema), { required: false });
}

function statuses(operation: Operation): string {
  const answers = Object.entries(operation.replies).map(([status, { description, content = {}, headers = {} }]) => [
    status,
    [
      description,
      Object.entries(content)
        .map(([type, schema]) => `\`${type}\`${nameOf(schema) === undefined ? "" : `: ${typeText(plain(schema))}`}`)
        .join(", "),
      Object.keys(headers).length === 0
        ? ""
        : `Headers: ${Object.keys(headers)
            .map((name) => `\`${name}\``)
            .join(", ")}.`,
    ]
      .filter((part) => part !== "")
      .join(" "),
  ]);
  const byStatus = Map.groupBy(operation.problems, (code: ProblemCode) => problems[code].status);
  const refusals = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [String(status), codes.map((code) => `[\`${code}\`](errors.md#${code})`).join(", ")]);
  return table(["Status", ""], [...answers, ...refusals]);
}

function notificationText(): string {
  mustBeValid("notification", Notification, notificationExample);
  mustBeValid("problem", Problem, problemExample);
  return [
    "## Notifications",
    "When a task completes, fails or is canceled, the service sends one `POST` request to the task's `webhookUrl`, or otherwise to the account's endpoint.",
    table(
      ["Header", ""],
      [
        [
          "`X-Service-Signature`",
          "`sha256=<hex>`: HMAC-SHA256 of the raw body, keyed with the account's signing secret. Verify it before parsing the body.",
        ],
        [
          "`X-Service-Delivery`",
          "Id of the delivery, the same on every automatic retry. Ignore ids that you have already processed.",
        ],
        ["`X-Service-Secret-Version`", "Version of the signing secret."],
        ["`X-Service-Timestamp`", "When this attempt was signed."],
        ["`Webhook-Id`", "The delivery's id, as named by Standard Webhooks."],
        ["`Webhook-Timestamp`", "When this attempt was signed, in seconds since 1970."],
        [
          "`Webhook-Signature`",
          "`v1,` and the base64 HMAC-SHA256 of id, time and raw body; [how a library verifies it](../webhooks.md#standard-webhooks).",
        ],
        [
          "`X-Service-Signature-Previous`",
          "During a rotation with an overlap: the signature with the previous secret.",
        ],
      ],
    ),
    "Return a 2xx status within 15 seconds. Otherwise the webhook is retried after 5 s, 20 s, 1 min, 5 min, 15 min, 30 min, 1 h, 2 h, 4 h, 8 h, 16 h, 20 h and 20 h, for 14 attempts in total. `Retry-After` with 429 and 503 extends the delay, up to 6 hours. After a 410, the delivery is not retried. Redirects are not followed.",
    fieldTable(plain(Notification), { required: false }),
    "If the body would exceed 256 KiB (or the limit set by the operator), `task` has the short form with `resultOmitted` true. Fetch the result with `GET /v1/tasks/{task_id}`.",
    codeBlock("Body", notificationExample) ?? "",
  ].join("\n\n");
}

function objectText(name: string, schema: TSchema): string {
  const shape: Schema = plain(schema);
  const closed = "additionalProperties" in shape;
  return [`### ${name}`, shape.description, fieldTable(shape, { required: closed })]
    .filter((part) => part !== undefined)
    .join("\n\n");
}

function codeBlock(title: string, value: unknown): string | undefined {
  return value === undefined ? undefined : `${title}:\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

function mustBeValid(what: string, schema: TSchema, value: unknown): void {
  const faults = compileCheck(schema)(value);
  const first = faults[0];
  if (first !== undefined) throw new Error(`The example of ${what} is not valid: ${first.pointer}: ${first.detail}`);
}

const anchor = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

const headerName = (name: string) =>
  name.replaceAll(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
