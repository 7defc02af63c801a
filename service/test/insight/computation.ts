/** A computation of the job that does what a test tells it to. */
import assert from "node:assert/strict";
import { ProblemError } from "../../src/api/problem-error.ts";
import type { Computation } from "../../src/computing/computer.ts";
import { narrowReport } from "../../src/reports/report/report-job.ts";
import { endless, job, type FixtureInput } from "./fixture-job.ts";

/** The size of each piece that the job writes. */
export const writtenBytes = 2 ** 20;

export const computation = (
  input: FixtureInput,
  more: Partial<Computation<FixtureInput>> = {},
): Computation<FixtureInput> => ({
  accountId: "a",
  job,
  input,
  inputs: { answers: () => endless() },
  signal: new AbortController().signal,
  narrow: narrowReport,
  memoryMiB: () => 100,
  isLarge: true,
  ...more,
});

export const textOf = (computed: readonly Buffer[]) => Buffer.concat(computed).toString();

export async function refusal(promise: Promise<unknown>): Promise<ProblemError> {
  const error = await promise.then(
    () => assert.fail("it was not refused"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ProblemError, String(error));
  return error;
}
