/** How two arms differ: panels, platforms, locales or imports that were asked the same prompts. */
import type { Answer, Instrument } from "./answer.ts";
import { indexAnswers, type AnswerIndex } from "./answer-index.ts";
import type { ReadCells } from "./cell-columns.ts";
import { startRows, type FigureRequest } from "./compute-figures.ts";
import { tCdf, tQuantile } from "./distributions.ts";
import {
  dependentRunsMin,
  runsMin,
  topicDf,
  topicsMin,
  type Interval,
  type IntervalScope,
  type TooFew,
} from "./estimate.ts";
import type { FailedTask } from "./failed-task.ts";
import { groupAnswers } from "./group-answers.ts";
import { adjustPValues } from "./many-tests.ts";
import { measureOf, readsFailures } from "./measures.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { wordingsOf } from "./panel-history.ts";
import { hasBounds } from "./read-cells.ts";
import { readSample, valueOf, type CellSums, type Sample } from "./sample.ts";
import { partOf, varianceOfRuns, type VarianceOfRuns } from "./variance-of-runs.ts";
import { withFailures } from "./with-failures.ts";

/** What is compared: the answers of one surface, to the prompts of a panel. */
export interface Arm {
  readonly panel: PanelDefinition;
  readonly answers: readonly Answer[];
  readonly failures: readonly FailedTask[];
}

/** What a difference is about. */
export type ComparedSubject = Pick<FigureRequest, "measure" | "entityId" | "domain" | "sourceType">;

export interface ArmValue {
  readonly value: number | null;
  readonly answers: number;
  readonly runs: number;
  /** What the answers were taken with, which is one instrument: the latest with enough runs. */
  readonly instrument: readonly Instrument[];
}

export interface ArmComparison extends ComparedSubject {
  readonly definition: string;
  readonly one: ArmValue;
  readonly other: ArmValue;
  /** Prompts that have a value in both arms, and how many have one in only one of them. */
  readonly prompts: number;
  readonly unpaired: number;
  readonly topics: number;
  /** If answers are missing in either arm: what the difference could be, whatever they would have said. */
  readonly bounds: { readonly low: number; readonly high: number } | null;
  readonly thesePrompts: ArmDifference;
  readonly promptsLikeThese: ArmDifference;
}

export interface ArmDifference {
  readonly scope: IntervalScope;
  /** That of the other arm minus that of the first one, over the same prompts. */
  readonly value: number | null;
  readonly interval: Interval | null;
  /** That a difference at least as large is seen if there is none. */
  readonly p: number | null;
  /** Adjusted for all differences of the comparison in this scope that have one (Benjamini and Hochberg). */
  readonly adjustedP: number | null;
  readonly tooFew: ArmTooFew | null;
}

export interface ArmTooFew {
  readonly what: TooFew["what"] | "prompts" | "no_interval";
  /** Null: it is not that of one arm. */
  readonly arm: "one" | "other" | null;
  readonly there: number;
  readonly needed: number;
}

const level = 0.95;

/**
 * Pauses after each difference.
 *
 * @param pairs which prompt of the other arm is the same as which of the first one, by the keys of `wordingsOf`. Null: both arms are of
 *   one panel, where each prompt is itself
 */
export function* compareArms(
  [one, other]: readonly [Arm, Arm],
  pairs: readonly (readonly [key: string, otherKey: string])[] | null,
  subjects: readonly ComparedSubject[],
): Generator<void, ArmComparison[], void> {
  const readOne = armReader(one, pairs === null ? null : new Map(pairs.map(([key]) => [key, key])));
  const readOther = armReader(other, pairs === null ? null : new Map(pairs.map(([key, otherKey]) => [otherKey, key])));
  const compared: ArmComparison[] = [];
  for (const subject of subjects) {
    compared.push(differenceOf(one.panel, subject, readOne(subject), readOther(subject)));
    yield;
  }
  const adjusted = {
    thesePrompts: adjustedIn(compared, "thesePrompts"),
    promptsLikeThese: adjustedIn(compared, "promptsLikeThese"),
  };
  return compared.map((row, index) => ({
    ...row,
    thesePrompts: { ...row.thesePrompts, adjustedP: adjusted.thesePrompts[index] ?? null },
    promptsLikeThese: { ...row.promptsLikeThese, adjustedP: adjusted.promptsLikeThese[index] ?? null },
  }));
}

/** In the order of the rows; null where there is no p-value. */
function adjustedIn(rows: readonly ArmComparison[], scope: "thesePrompts" | "promptsLikeThese"): (number | null)[] {
  const known = rows.flatMap((row) => row[scope].p ?? []);
  const adjusted = adjustPValues(known);
  let next = 0;
  return rows.map((row) => (row[scope].p === null ? null : (adjusted[next++] ?? null)));
}

type ReadArm = (subject: ComparedSubject) => ArmCells;

interface ArmCells {
  /** By the prompt of the first arm. */
  readonly cells: ReadonlyMap<string, ReadCells["cells"][number]>;
  readonly read: ReadCells;
  /** If none of the missing answers had what is measured, and if all had. Null: too few are missing. */
  readonly worst: readonly [none: ReadCells, all: ReadCells] | null;
}

const nothing: ReadCells = {
  cells: [],
  columns: { runs: new Int32Array(), answers: new Int32Array(), values: new Float64Array(), ofs: new Float64Array() },
  units: [],
  answers: 0,
  instruments: [],
  leftOut: new Map(),
};

/** `named`: the prompts that are compared, and what each is in the first arm. Null: each is itself. */
function armReader({ panel, answers, failures }: Arm, named: ReadonlyMap<string, string> | null): ReadArm {
  const nameOf = (key: string) => (named === null ? key : named.get(key));
  const index = indexAnswers(panel, answers);
  let ofTasks: AnswerIndex | null = null;
  return (subject) => {
    const isOfTasks = readsFailures(subject.measure) || hasBounds(subject.measure);
    const of = isOfTasks ? (ofTasks ??= withFailures(panel, index, failures)) : index;
    const context = startRows(panel, of, { ...subject, by: "none" });
    const [group] = groupAnswers(panel, of, context.selection);
    if (group === undefined) return { cells: new Map(), read: nothing, worst: null };
    const { asked } = context.split(group);
    const { missing, ...read } = context.read(new Map([...asked].filter(([key]) => nameOf(key) !== undefined)));
    return {
      cells: new Map(read.cells.map((cell) => [nameOf(cell.promptId) ?? "", cell])),
      read,
      worst: missing === null ? null : [missing.none, missing.all],
    };
  };
}

function differenceOf(panel: PanelDefinition, subject: ComparedSubject, one: ArmCells, other: ArmCells): ArmComparison {
  const { definition, unit, sample: hasInterval } = measureOf(subject.measure);
  const wordings = wordingsOf(panel);
  const prompts = [...one.cells.keys()].flatMap((key): ComparedPrompt[] => {
    const { topic = null, weight = 1 } = wordings.get(key) ?? {};
    return weight > 0 && other.cells.has(key) ? [{ key, topic: topic ?? "", weight }] : [];
  });
  /** The cells of the prompts of both arms, in the same order. */
  const sumsOf: SumsOf = (cellOf, read) => ({
    cells: prompts.flatMap(({ key, topic, weight }) => {
      const cell = cellOf(key);
      return cell === undefined ? [] : [{ ...cell, topic, weight }];
    }),
    columns: read.columns,
    runs: read.units.length,
  });
  const sampleOf = ({ cells, read }: ArmCells) => readSample(sumsOf((key) => cells.get(key), read));
  const [first, second] = [sampleOf(one), sampleOf(other)];
  const value = first.value === null || second.value === null ? null : second.value - first.value;
  const arms = { first: startArm(first), second: startArm(second) };
  const state = (scope: IntervalScope): ArmDifference => {
    const without = (tooFew: ArmTooFew) => ({ scope, value, interval: null, p: null, adjustedP: null, tooFew });
    if (value === null) return without({ what: "prompts", arm: null, there: prompts.length, needed: 1 });
    if (hasInterval === null) return without({ what: "no_interval", arm: null, there: 0, needed: 0 });
    const tooFew = floorOf(arms, scope, prompts);
    if (tooFew !== null) return without(tooFew);
    const { variance, df } = scope === "these_prompts" ? ofTheseRuns(arms) : ofTopics(arms, prompts);
    const error = Math.sqrt(variance);
    const half = tQuantile((1 + level) / 2, df) * error;
    const by = scope === "these_prompts" ? "answers_and_runs" : "topics";
    const [low, high] =
      unit === "share" ? [Math.max(-1, value - half), Math.min(1, value + half)] : [value - half, value + half];
    return {
      scope,
      value,
      interval: { low, high, level, method: `difference_t_${by}` },
      p: 2 * tCdf(-Math.abs(value) / error, df),
      adjustedP: null,
      tooFew: null,
    };
  };
  return {
    ...subject,
    definition,
    one: armValue(first, one),
    other: armValue(second, other),
    prompts: prompts.length,
    unpaired: one.cells.size + other.cells.size - 2 * prompts.length,
    topics: topicsIn(prompts),
    bounds: boundsOf(value, [one, other], sumsOf),
    thesePrompts: state("these_prompts"),
    promptsLikeThese: state("prompts_like_these"),
  };
}

const armValue = ({ value, answers, runs }: Sample, { read }: ArmCells): ArmValue => ({
  value,
  answers,
  runs,
  instrument: read.instruments,
});

/** A prompt that has a value in both arms, by its key in the first one. */
interface ComparedPrompt {
  readonly key: string;
  readonly topic: string;
  readonly weight: number;
}

const topicsIn = (prompts: readonly ComparedPrompt[]) => new Set(prompts.map(({ topic }) => topic)).size;

type SumsOf = (cellOf: (key: string) => ReadCells["cells"][number] | undefined, read: ReadCells) => CellSums;

/** The least and the greatest difference: one arm's least value against the other's greatest. */
function boundsOf(value: number | null, arms: readonly [ArmCells, ArmCells], sumsOf: SumsOf): ArmComparison["bounds"] {
  if (value === null || arms.every(({ worst }) => worst === null)) return null;
  const rangeOf = ({ cells, read, worst }: ArmCells) => {
    const named = new Map([...cells].map(([promptId, cell]) => [cell.promptId, promptId]));
    const valueIn = (of: ReadCells) => {
      const found = new Map(of.cells.map((cell) => [named.get(cell.promptId) ?? "", cell]));
      return valueOf(sumsOf((id) => found.get(id), of).cells).value ?? 0;
    };
    const [none, all] = worst ?? [read, read];
    return { low: valueIn(none), high: valueIn(all) };
  };
  const [one, other] = [rangeOf(arms[0]), rangeOf(arms[1])];
  return { low: Math.min(value, other.low - one.high), high: Math.max(value, other.high - one.low) };
}

interface StartedArm {
  readonly sample: Sample;
  readonly hasRuns: boolean;
  /** Of enough runs. */
  readonly ofRuns: () => VarianceOfRuns;
}

interface Arms {
  readonly first: StartedArm;
  readonly second: StartedArm;
}

function startArm(sample: Sample): StartedArm {
  let known: VarianceOfRuns | null = null;
  return { sample, hasRuns: sample.informative >= runsMin, ofRuns: () => (known ??= varianceOfRuns(sample)) };
}

/** The floors are those of a figure of one arm. */
function floorOf({ first, second }: Arms, scope: IntervalScope, prompts: readonly ComparedPrompt[]): ArmTooFew | null {
  const topics = topicsIn(prompts);
  if (scope === "prompts_like_these" && topics < topicsMin)
    return { what: "topics", arm: null, there: topics, needed: topicsMin };
  for (const [arm, { sample, hasRuns, ofRuns }] of [
    ["one", first],
    ["other", second],
  ] as const) {
    if (scope === "these_prompts" && !hasRuns) return { what: "runs", arm, there: sample.informative, needed: runsMin };
    if (hasRuns && sample.runs < dependentRunsMin && ofRuns().moveTogether)
      return { what: "dependent_runs", arm, there: sample.runs, needed: dependentRunsMin };
  }
  return null;
}

interface Spread {
  readonly variance: number;
  readonly df: number;
}

/** As if the runs of one arm did not depend on those of the other: what moves both alike makes the interval wider than it need be. */
const ofTheseRuns = ({ first, second }: Arms): Spread => sumOf([first.ofRuns(), second.ofRuns()]);

/**
 * Topics are a sample, and each is compared with itself: the variance is that of the topics' differences (CR2, with Bell and
 * McCaffrey's degrees of freedom), and of what runs move all topics of an arm by. Where few topics differ from the others, it is at
 * least what one topic more, which differs by one unit, would make it.
 */
function ofTopics({ first, second }: Arms, prompts: readonly ComparedPrompt[]): Spread {
  const topics = new Map<string, { share: number; part: number }>();
  for (const [at, { topic }] of prompts.entries()) {
    const sum = topics.get(topic) ?? { share: 0, part: 0 };
    topics.set(topic, sum);
    for (const [{ sample }, sign] of [
      [first, -1],
      [second, 1],
    ] as const) {
      const cell = sample.cells[at];
      if (cell === undefined) continue;
      sum.share += cell.share / 2;
      sum.part += sign * partOf(sample.groups.parts, cell);
    }
  }
  const all = [...topics.values()];
  const between = total(all.map(({ share, part }) => part ** 2 / (1 - share)));
  const fourth = total(all.map(({ part }) => part ** 4));
  const different = fourth === 0 ? 0 : total(all.map(({ part }) => part ** 2)) ** 2 / fourth;
  const least = 1 / (topics.size * (topics.size + 2) * (different ** 2 + 1));
  const df = topicDf(all.map(({ share }) => share));
  const common = [first, second].flatMap(({ hasRuns, ofRuns }) => (hasRuns ? [ofRuns().besideTopics] : []));
  return sumOf([{ variance: Math.max(between, least), df }, ...common]);
}

/** With Welch's and Satterthwaite's degrees of freedom. */
function sumOf(parts: readonly Spread[]): Spread {
  const variance = total(parts.map((part) => part.variance));
  return { variance, df: variance ** 2 / total(parts.map((part) => part.variance ** 2 / part.df)) };
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
