/** What ends because its request was aborted is no fault of the service. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { FastifyRequest } from "fastify";
import { ProblemError } from "../../src/api/problem-error.ts";
import { ClientGone, toProblem } from "../../src/http/problem.ts";

/** The problem of a file that was being read when the request was aborted, and what was logged. */
async function abortedBy(reason: Error) {
  const error: unknown = await readFile(import.meta.filename, { signal: AbortSignal.abort(reason) }).catch(
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Error && error !== reason, "Node wraps the reason");
  const logged: unknown[] = [];
  // The members that are used.
  const request = { id: "1", raw: { socket: { destroyed: false } } } as unknown as FastifyRequest;
  return { problem: toProblem(error, request, (event) => logged.push(event)), logged };
}

test("a file that is not read to its end because the client has gone is no fault", async () => {
  const { problem, logged } = await abortedBy(new ClientGone());
  assert.deepEqual([problem.code, logged], ["malformed_request", []]);
});

test("a file that is not read to its end because the service stops is refused as what stops it says", async () => {
  const { problem, logged } = await abortedBy(new ProblemError("unavailable", "The service stops."));
  assert.deepEqual([problem.code, problem.message, logged], ["unavailable", "The service stops.", []]);
});

test("an abort with another reason is a fault, and logged with it", async () => {
  const reason = new Error("another reason");
  const { problem, logged } = await abortedBy(reason);
  assert.deepEqual([problem.code, logged], ["internal", [{ event: "http.fault", requestId: "1", error: reason }]]);
});
