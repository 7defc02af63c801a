import type { Answer } from "./answer.ts";
import type { AnswerIndex, Column } from "./answer-index.ts";
import type { FailedTask } from "./failed-task.ts";

/**
 * The answers of an index, and after them the tasks that failed: for measures of tasks, and for no others. A failed task has no
 * instrument, so it makes no seam; and no sources, whose columns end with the answers.
 */
export function withFailures(index: AnswerIndex, failures: readonly FailedTask[]): AnswerIndex {
  const failed = failures.map(inPlaceOfAnswer);
  const surfaces = extend(index.surfaces, failed, ({ platformCode, instrument: { kind }, locale, persona }) => ({
    platformCode,
    kind,
    locale,
    persona,
  }));
  return {
    ...index,
    answers: [...index.answers, ...failed],
    surfaces,
    prompts: extend(index.prompts, failed, ({ promptId }) => promptId),
    runs: extend(index.runs, failed, ({ runId }) => runId ?? ""),
    days: extend(index.days, failed, ({ observedAt }) => observedAt.slice(0, 10)),
    instruments: {
      values: index.instruments.values,
      of: Int32Array.from([...index.instruments.of, ...failed.map(() => noInstrument)]),
    },
    probabilities: probabilitiesOf(index, failed),
  };
}

const noInstrument = -1;

function inPlaceOfAnswer({ failureId, failedAt, kind, code, ...task }: FailedTask): Answer {
  return {
    ...task,
    observationId: failureId,
    observedAt: failedAt,
    recordedAt: failedAt,
    instrument: { kind, modelVersion: null, recipe: null, reader: 0, matcher: null, sourceRules: null },
    mentions: [],
    sources: [],
    cards: 0,
    contentLength: 0,
    searchCount: null,
    durationMs: null,
    chargedPoints: 0,
    flags: [],
    failure: code,
  };
}

/** Values that are equal as JSON have one number. */
function extend<Value>(
  { values, of }: Column<Value>,
  failed: readonly Answer[],
  valueOf: (task: Answer) => Value,
): Column<Value> {
  const all = [...values];
  const numbers = new Map(all.map((value, number) => [JSON.stringify(value), number]));
  const extended = new Int32Array(of.length + failed.length);
  extended.set(of);
  for (const [index, task] of failed.entries()) {
    const value = valueOf(task);
    const key = JSON.stringify(value);
    const number = numbers.get(key) ?? all.push(value) - 1;
    numbers.set(key, number);
    extended[of.length + index] = number;
  }
  return { values: all, of: extended };
}

function probabilitiesOf({ probabilities, answers }: AnswerIndex, failed: readonly Answer[]): Float64Array | null {
  if (probabilities === null && failed.every(({ probability }) => probability === undefined)) return null;
  const all = new Float64Array(answers.length + failed.length).fill(1);
  if (probabilities !== null) all.set(probabilities);
  for (const [index, { probability = 1 }] of failed.entries()) all[answers.length + index] = probability;
  return all;
}
