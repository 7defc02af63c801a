import { Closed, type Operation, type ProblemItem } from "@querent/contract";
import type { FastifyRequest } from "fastify";
import { ProblemError } from "../api/problem-error.ts";
import { compileCheck, type Check } from "../kernel/validate.ts";
import { largeBodyBytes, parseJsonBody, requireFewValues, requireJson } from "./body.ts";

/** The default maximum of values in a submission's body. */
const bodyValuesMax = 32_000;

export interface OperationChecks {
  readonly params: Check | null;
  /** Checks the parameters; null for an operation that ignores them. */
  readonly query: Check;
  /** Checks the body; null for an operation whose handler does. */
  readonly body: Check | null;
  /** Query values are text; those that are integers or booleans in the schema are converted if they look like them. */
  readonly readQuery: (query: unknown) => unknown;
}

export function compileChecks(operation: Operation): OperationChecks {
  const inPath = (path: string) => `?${path.slice(1)}`;
  const inQuery = { pointer: inPath, noun: "parameter" };
  const namesOf = (type: string) =>
    Object.entries(operation.query?.properties ?? {}).flatMap(([name, schema]) =>
      "type" in schema && schema.type === type ? [name] : [],
    );
  const isOpen = operation.scope === null && operation.login === undefined;
  const [integers, booleans] = [namesOf("integer"), namesOf("boolean")];
  return {
    params: operation.params === undefined ? null : compileCheck(operation.params, { pointer: inPath }),
    query: compileCheck(operation.query ?? Closed({}), inQuery),
    // A submission's items are validated one by one by `tasks/submit`, which knows more than the schema; lines by their handler.
    body:
      operation.body !== undefined &&
      ("items" in operation.body.schema ||
        operation.body.checkedByHandler === true ||
        operation.body.type === "application/x-ndjson")
        ? null
        : compileCheck(operation.body?.schema ?? Closed({})),
    readQuery: (query) => {
      // Unknown parameters must not be ignored: with a misspelled filter the operation would act on everything. Only those of what
      // anybody may open are passed over.
      const known = isOpen
        ? ([name]: [string, unknown]) => Object.hasOwn(operation.query?.properties ?? {}, name)
        : () => true;
      const read: Record<string, unknown> = Object.fromEntries(Object.entries(query as object).filter(known));
      for (const name of integers) {
        const text = read[name];
        if (typeof text === "string" && /^-?\d{1,15}$/.test(text)) read[name] = Number(text);
      }
      for (const name of booleans)
        if (read[name] === "true" || read[name] === "false") read[name] = read[name] === "true";
      return read;
    },
  };
}

export function checkedParams(check: Check | null, params: unknown): unknown {
  // Nothing exists under a malformed id.
  const value = lowerUuids(params);
  const errors = check?.(value) ?? [];
  if (errors.length > 0 && errors.every((error) => error.pointer.endsWith("_id")))
    throw new ProblemError("not_found", "No record has this id.");
  return refuseInvalid(errors, value);
}

export function checkedQuery({ query: check, readQuery }: OperationChecks, query: unknown): unknown {
  const value = readQuery(query);
  return refuseInvalid(check(value), value);
}

function refuseInvalid(errors: readonly ProblemItem[], value: unknown): unknown {
  if (errors.length === 0) return value;
  const what = errors.length === 1 ? "A parameter is" : `${errors.length} parameters are`;
  throw new ProblemError("validation_failed", `${what} not valid. Nothing was done.`, { errors });
}

export async function readBody(
  request: FastifyRequest,
  operation: Operation,
  check: Check | null,
  rawBody: Buffer,
  valuesMax: number | undefined,
): Promise<unknown> {
  if (operation.body?.type === "application/x-ndjson" || operation.body?.type === "*/*") return undefined;
  if (operation.body?.required !== true) {
    // Regardless of the content type of an empty body: many clients declare a form and send nothing.
    if (operation.method === "GET" || rawBody.length === 0) return operation.body === undefined ? undefined : {};
    requireJson(request);
  }
  const isForm = operation.body?.type === "application/x-www-form-urlencoded";
  if (isForm) requireJson(request, operation.body?.type);
  if (takesLargeBodies(operation)) await requireFewValues(rawBody, valuesMax ?? bodyValuesMax);
  const read = isForm
    ? Object.fromEntries(new URLSearchParams(rawBody.toString("utf8")))
    : await parseJsonBody(rawBody);
  const body = read ?? (operation.body?.required === true ? null : {});
  const errors = check === null ? [] : check(body);
  if (errors.length > 0) {
    throw new ProblemError(
      "validation_failed",
      operation.body === undefined
        ? "This operation takes no body, so what the body asks for would be left undone. Nothing was done."
        : "The body is not valid. Nothing was done.",
      { errors },
    );
  }
  return body;
}

export const takesLargeBodies = (operation: Operation) => (operation.body?.bytesMax ?? 0) > largeBodyBytes;

/** UUIDs are compared in lower case; one in upper case is the same id. */
function lowerUuids(params: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params as Record<string, string>).map(([name, value]) => [
      name,
      name.endsWith("_id") ? value.toLowerCase() : value,
    ]),
  );
}
