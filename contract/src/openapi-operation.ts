import type { TObject } from "typebox";
import { withReferences } from "./openapi-references.ts";
import type { Operation } from "./operation.ts";
import { problems, type ProblemCode } from "./problem.ts";

/** One operation, as the OpenAPI document describes it. */
export function describeOperation(operation: Operation, names: Map<unknown, string>): Record<string, unknown> {
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description ?? `${operation.summary}.`,
    ...security(operation),
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
            content: {
              [operation.body.type ?? "application/json"]: { schema: withReferences(operation.body.schema, names) },
            },
          },
        }),
    responses: { ...replies(operation, names), ...problemReplies(operation.problems) },
  };
}

function security({ scope, login }: Operation): Record<string, unknown> {
  if (scope !== null) return { security: [{ bearer: [] }, { login: [] }], "x-required-scope": scope };
  return { security: login === "required" ? [{ login: [] }] : [] };
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

const titleCased = (name: string) =>
  name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
