import type { Cell } from "./sample.ts";

/**
 * Where the differences between the answers of a panel come from, as variances of what each adds to the figure. For a share, of the
 * ratio's linearization.
 */
export interface VarianceComponents {
  readonly value: number;
  /** Between topics, and between the prompts of a topic. */
  readonly ofTopics: number;
  readonly ofPrompts: number;
  /** What a run does to all prompts alike. */
  readonly ofRuns: number;
  /** What a run does to one prompt: its repeats have it in common. */
  readonly ofGroups: number;
  /** Between the repeats of one prompt in one run. */
  readonly ofAnswers: number;
  /** False: no prompt was asked twice in a run. Then all of `ofGroups` is taken for `ofAnswers`. */
  readonly areRepeatsKnown: boolean;
  /** What they were computed from. Null: they are assumptions. */
  readonly pilot: { readonly topics: number; readonly cells: number; readonly runs: number } | null;
}

/** What a pilot needs: fewer say nothing of the variance. */
export const pilotRunsMin = 3;
export const pilotCellsMin = 5;

/** The components of a pilot, by the method of moments. Null: it has no value, or too few runs or cells. */
export function varianceComponents(all: readonly Cell[]): VarianceComponents | null {
  const used = all.filter(({ answers, weight }) => answers.length > 0 && weight > 0);
  const read = readParts(used);
  const runs = new Set(used.flatMap(({ answers }) => answers.map(({ run }) => run)));
  if (read === null || runs.size < pilotRunsMin || used.length < pilotCellsMin) return null;
  const { value, cells } = read;
  const { perCell, common } = betweenRuns(cells);
  const count = cells.length;
  // A pilot has few runs: what it shows of them is believed if chance would show as much in one or two of a hundred.
  const chance = 1 + 2.6 * Math.sqrt(2 / (runs.size - 1));
  const hasCommon = common * count > perCell * chance;
  const ofRuns = hasCommon ? Math.max(0, (common * count - perCell) / (count - 1)) : 0;
  const ofGroup = Math.max(0, perCell - ofRuns);
  const repeats = betweenRepeats(cells);
  const ofAnswers = repeats === null ? ofGroup : Math.min(repeats.variance, ofGroup * repeats.repeats);
  const ofGroups = repeats === null ? 0 : Math.max(0, ofGroup - ofAnswers / repeats.repeats);
  return {
    value,
    ...betweenTopics(cells, ofGroup),
    ofRuns,
    ofGroups,
    ofAnswers,
    areRepeatsKnown: repeats !== null,
    pilot: { topics: new Set(cells.map(({ topic }) => topic)).size, cells: count, runs: runs.size },
  };
}

interface CellParts {
  readonly topic: string;
  /** What the answers add to the figure, by run. The mean over all cells is 0. */
  readonly groups: ReadonlyMap<string, readonly number[]>;
  readonly mean: number;
}

function readParts(used: readonly Cell[]): { value: number; cells: CellParts[] } | null {
  const total = sum(used.map(({ weight, answers }) => weight * mean(answers.map(({ of = 1 }) => of))));
  if (!(total > 0)) return null;
  const value = sum(used.map((cell) => cell.weight * mean(cell.answers.map((answer) => answer.value)))) / total;
  const cells = used.map(({ topic, weight, answers }) => {
    const groups = new Map<string, number[]>();
    const parts = answers.map(({ run, value: own, of = 1 }) => {
      const part = (weight * (own - value * of) * used.length) / total;
      const group = groups.get(run);
      if (group === undefined) groups.set(run, [part]);
      else group.push(part);
      return part;
    });
    return { topic, groups, mean: mean(parts) };
  });
  return { value, cells };
}

/** The variance from run to run: of a cell by itself, and of the mean of all cells. */
function betweenRuns(cells: readonly CellParts[]): { perCell: number; common: number } {
  const deviations = new Map<string, number[]>();
  let squares = 0;
  let freedom = 0;
  for (const { groups } of cells) {
    if (groups.size < 2) continue;
    const means = [...groups].map(([run, parts]) => ({ run, value: mean(parts) }));
    const center = mean(means.map(({ value }) => value));
    freedom += means.length - 1;
    for (const { run, value } of means) {
      squares += (value - center) ** 2;
      const ofRun = deviations.get(run);
      if (ofRun === undefined) deviations.set(run, [value - center]);
      else ofRun.push(value - center);
    }
  }
  const ofRuns = [...deviations.values()].map((list) => sum(list) / cells.length);
  return {
    perCell: freedom === 0 ? 0 : squares / freedom,
    common: ofRuns.length < 2 ? 0 : sum(ofRuns.map((one) => one ** 2)) / (ofRuns.length - 1),
  };
}

/** Between the repeats of a group, and how many repeats a group has (harmonic mean). Null: none has two. */
function betweenRepeats(cells: readonly CellParts[]): { variance: number; repeats: number } | null {
  const groups = cells.flatMap((cell) => [...cell.groups.values()]);
  const freedom = sum(groups.map((parts) => parts.length - 1));
  if (freedom === 0) return null;
  const squares = sum(groups.map((parts) => sum(parts.map((part) => (part - mean(parts)) ** 2))));
  return { variance: squares / freedom, repeats: groups.length / sum(groups.map((parts) => 1 / parts.length)) };
}

/** @param ofGroup the variance of one prompt in one run: what its mean over runs differs by chance */
function betweenTopics(cells: readonly CellParts[], ofGroup: number): { ofTopics: number; ofPrompts: number } {
  const topics = new Map<string, number[]>();
  for (const { topic, mean: value } of cells) topics.set(topic, [...(topics.get(topic) ?? []), value]);
  const lists = [...topics.values()];
  const noise = ofGroup * mean(cells.map(({ groups }) => 1 / groups.size));
  const freedom = sum(lists.map((list) => list.length - 1));
  const within = sum(lists.map((list) => sum(list.map((one) => (one - mean(list)) ** 2))));
  const ofPrompts = freedom === 0 ? 0 : Math.max(0, within / freedom - noise);
  if (lists.length < 2) return { ofTopics: 0, ofPrompts };
  const means = lists.map(mean);
  const center = mean(means);
  const between = sum(means.map((one) => (one - center) ** 2)) / (lists.length - 1);
  const prompts = lists.length / sum(lists.map((list) => 1 / list.length));
  return { ofTopics: Math.max(0, between - (ofPrompts + noise) / prompts), ofPrompts };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const mean = (numbers: readonly number[]) => (numbers.length === 0 ? 0 : sum(numbers) / numbers.length);
