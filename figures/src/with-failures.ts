import type { Answer } from "./answer.ts";
import type { AnswerIndex, IndexColumn } from "./answer-index.ts";
import type { FailedTask } from "./failed-task.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { wordingsOf } from "./panel-history.ts";

/**
 * The answers of an index, and after them the tasks that failed. A failed task has no instrument, so it makes no seam; and no sources,
 * whose columns end with the answers.
 */
export function withFailures(panel: PanelDefinition, index: AnswerIndex, failures: readonly FailedTask[]): AnswerIndex {
  const failed = failures.map(inPlaceOfAnswer);
  const surfaces = extend(index.surfaces, failed, ({ platformCode, instrument: { kind }, locale, persona }) => ({
    platformCode,
    kind,
    locale,
    persona,
  }));
  const runs = extend(index.runs, failed, ({ runId }) => runId ?? "");
  return {
    ...index,
    answers: [...index.answers, ...failed],
    surfaces,
    prompts: extend(index.prompts, failed, wordingsOf(panel).keyOf),
    runs,
    countsFor: attribute(index, failed, { surfaces, runs }),
    days: extend(index.days, failed, ({ observedAt }) => observedAt.slice(0, 10)),
    instruments: {
      values: index.instruments.values,
      of: Int32Array.from([...index.instruments.of, ...failed.map(() => noInstrument)]),
    },
    probabilities: probabilitiesOf(index, failed),
  };
}

const noInstrument = -1;

/**
 * The instruments that answers and failed tasks count for. A failed task counts for the instrument of most answers of its run on its
 * surface; without answers, for that of the run before, or else of the run after.
 */
function attribute(
  index: AnswerIndex,
  failed: readonly Answer[],
  { surfaces, runs }: Pick<AnswerIndex, "surfaces" | "runs">,
): Int32Array {
  const { answers, instruments } = index;
  const counts = new Map<number, Map<number, { first: string; counts: Map<number, number> }>>();
  for (let place = 0; place < answers.length; place++) {
    const surface = surfaces.of[place] ?? 0;
    const run = runs.of[place] ?? 0;
    const instrument = instruments.of[place] ?? noInstrument;
    const { observedAt = "" } = answers[place] ?? {};
    const ofSurface = counts.get(surface) ?? new Map<number, { first: string; counts: Map<number, number> }>();
    counts.set(surface, ofSurface);
    const ofRun = ofSurface.get(run) ?? { first: observedAt, counts: new Map<number, number>() };
    if (observedAt < ofRun.first) ofRun.first = observedAt;
    ofRun.counts.set(instrument, (ofRun.counts.get(instrument) ?? 0) + 1);
    ofSurface.set(run, ofRun);
  }
  const mainOf = new Map(
    Array.from(counts, ([surface, ofSurface]) => {
      const main = Array.from(ofSurface, ([run, ofRun]) => {
        const [[instrument] = [noInstrument]] = [...ofRun.counts].toSorted(([a, n], [b, m]) => m - n || a - b);
        return { run, first: ofRun.first, instrument };
      }).toSorted((one, other) => (one.first < other.first ? -1 : 1));
      return [surface, { main, ofRun: new Map(main.map(({ run, instrument }) => [run, instrument])) }];
    }),
  );
  const attributed = new Int32Array(answers.length + failed.length);
  attributed.set(instruments.of);
  for (const [number, { observedAt }] of failed.entries()) {
    const place = answers.length + number;
    const { main = [], ofRun } = mainOf.get(surfaces.of[place] ?? 0) ?? {};
    const before = main.findLast(({ first }) => first <= observedAt) ?? main[0];
    attributed[place] = ofRun?.get(runs.of[place] ?? 0) ?? before?.instrument ?? noInstrument;
  }
  return attributed;
}

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
  { values, of }: IndexColumn<Value>,
  failed: readonly Answer[],
  valueOf: (task: Answer) => Value,
): IndexColumn<Value> {
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
