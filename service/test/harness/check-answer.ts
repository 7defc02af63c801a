/**
 * Checks every response of the service against the contract: status and problem listed for the operation, a body that matches
 * the operation's schema without additional members, and the required headers. Independent of the service's own validation.
 */
import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { api, layerProblems, Problem, problems, type Operation, type ProblemCode } from "@querent/contract";

export interface HttpAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Throws if the contract does not allow this response to this request. */
export function checkAnswer(request: { method: string; path: string }, answer: HttpAnswer): void {
  const { status, headers, text } = answer;
  const where = `${request.method} ${request.path.slice(0, 200)} -> ${status} ${text.slice(0, 500)}`;
  assert.match(headers["x-request-id"] ?? "", idPattern, `X-Request-Id of ${where}`);
  assert.notEqual(status, 500, where);
  const path = request.path.split("?", 1)[0] ?? "";
  const operation = operationOf(request.method === "HEAD" ? "GET" : request.method, path);
  const isPage = operation?.replies[status] !== undefined && /^text\/html\b/.test(headers["content-type"] ?? "");
  if (status >= 400 && !isPage) checkProblem(request, operation, answer, where);
  else if (operation !== undefined) checkReply(request, operation, answer, where);
  else if (status === 200)
    assert.match(headers["content-type"] ?? "", /^text\/(html|javascript); charset=utf-8$/, where);
  if (request.method === "HEAD" || status === 304) assert.equal(text, "", where);
}

/** The operation at a method and path, if there is one. */
export function operationOf(method: string, path: string): Operation | undefined {
  const at = api.operations.filter((operation) => operation.method === method && pattern(operation.path).test(path));
  return at.find((operation) => operation.path === path) ?? at[0];
}

/** Throws if `value` does not match the schema, or has a member that the schema does not name. */
export function assertMatches(schema: object, value: unknown, where: string): void {
  const validate = compiled(schema);
  assert.ok(validate(value), `${where}\n${JSON.stringify(validate.errors?.slice(0, 3), null, 1)}`);
}

function checkReply(
  request: { method: string },
  operation: Operation,
  { status, headers, text }: HttpAnswer,
  where: string,
): void {
  const reply = operation.replies[status];
  assert.ok(reply, `status not listed: ${where}`);
  for (const [name, schema] of Object.entries(reply.headers ?? {})) {
    const value = headers[name.toLowerCase()];
    if (value === undefined) continue;
    assertMatches(schema, "type" in schema && schema.type === "integer" ? Number(value) : value, `${name} of ${where}`);
  }
  if (reply.content === undefined) {
    assert.equal(text, "", where);
    return;
  }
  const type = (headers["content-type"] ?? "").split(";", 1)[0] ?? "";
  const schema = reply.content[type];
  assert.ok(schema, `media type ${type} not listed: ${where}`);
  if (request.method === "HEAD") return;
  if (type === "application/json") assertMatches(schema, JSON.parse(text), where);
  else if (type === "application/x-ndjson") {
    assert.ok(text === "" || text.endsWith("\n"), where);
    for (const line of text.split("\n").slice(0, -1)) assertMatches(schema, JSON.parse(line), where);
  }
}

function checkProblem(
  request: { method: string; path: string },
  operation: Operation | undefined,
  { status, headers, text }: HttpAnswer,
  where: string,
): void {
  assert.match(headers["content-type"] ?? "", /^application\/problem\+json(; charset=utf-8)?$/, where);
  checkProblemHeaders(status, headers, where);
  if (request.method === "HEAD") return;
  const problem = JSON.parse(text) as Problem;
  assertMatches(Problem, problem, where);
  const kind = problems[problem.code];
  assert.equal(problem.status, status, where);
  assert.equal(kind.status, status, where);
  assert.equal(problem.title, kind.title, where);
  assert.equal(problem.type, `/problems/${problem.code}`, where);
  assert.equal(problem.requestId, headers["x-request-id"], where);
  if (problem.instance !== "")
    assert.equal(problem.instance, (request.path.split("?", 1)[0] ?? "").slice(0, 2048), where);
  // The path is the request's, and may contain anything: a random token of a shared page contained `pg_`.
  const said = text.replace(JSON.stringify(problem.instance), "");
  assert.doesNotMatch(said, /node_modules|\.ts:\d|\bat .+ \(|select |insert |pg_/i, `internal detail: ${where}`);
  const listed: readonly ProblemCode[] = [...(operation?.problems ?? ["not_found"]), ...layerProblems];
  assert.ok(listed.includes(problem.code), `problem not listed: ${where}`);
}

function checkProblemHeaders(status: number, headers: HttpAnswer["headers"], where: string): void {
  if (status === 401) assert.match(headers["www-authenticate"] ?? "", /^(Bearer|Basic) /, where);
  if (status === 405) assert.match(headers["allow"] ?? "", /^[A-Z]+(, [A-Z]+)*$/, where);
  if (status === 429 || status === 503) assert.match(headers["retry-after"] ?? "", /^[1-9]\d*$/, where);
  if (status === 429) {
    assert.match(
      headers["ratelimit"] ?? "",
      /^"(account|account-free|address|person|link|concurrency)";r=0;t=\d+$/,
      where,
    );
    assert.match(
      headers["ratelimit-policy"] ?? "",
      /^"(account|account-free|address|person|link|concurrency)";q=\d+;(w=\d+|qu="concurrent-requests")$/,
      where,
    );
  }
}

const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Exactly ISO 8601 UTC with milliseconds. */
const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

// Most schemas validate a few responses: making optimized code of them takes longer than all of that.
const ajv = new Ajv2020({ strict: false, allErrors: false, code: { optimize: false } });
ajv.addFormat("uuid", /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
ajv.addFormat("date", /^\d{4}-\d{2}-\d{2}$/);
ajv.addFormat("date-time", (text) => timePattern.test(text) && new Date(text).toISOString() === text);
ajv.addFormat("utc-date-time", /Z$/);
ajv.addFormat("https-url", (text) => URL.parse(text)?.protocol === "https:");
ajv.addFormat("storable-text", (text) => text.isWellFormed() && !text.includes("\0"));

const validators = new Map<object, ValidateFunction>();

function compiled(schema: object): ValidateFunction {
  let validate = validators.get(schema);
  if (validate === undefined) {
    validate = ajv.compile(closed(schema) as object);
    validators.set(schema, validate);
  }
  return validate;
}

/** A copy of the schema whose objects allow no additional members. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([member, value]) => [member, closed(value)]));
  const members = (schema as { properties?: object }).properties;
  if (members !== undefined && Object.keys(members).length > 0) copy["additionalProperties"] ??= false;
  return copy;
}

const patterns = new Map<string, RegExp>();

function pattern(path: string): RegExp {
  let known = patterns.get(path);
  if (known === undefined) {
    known = new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
    patterns.set(path, known);
  }
  return known;
}
