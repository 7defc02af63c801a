import { createHash } from "node:crypto";
import { waveShareMin, drawWave, readWaves, wavesMin, type WaveTask } from "@querent/figures";
import { waveMeasures, type AskUntil, type RunWaves, type WavesOfPlatform } from "@querent/contract";
import type { AcceptableItem } from "../../tasks/index.ts";
import type { PanelCell } from "./cells.ts";

/** The stored state of a run's waves. The points that were saved are computed from it. */
export type StoredWaves = Omit<RunWaves, "pointsSaved">;

/** The waves of a run whose first wave asks `items`. Null: the run asks everything at once. */
export function startWaves(
  { askUntil, repeats }: { readonly askUntil?: AskUntil; readonly repeats: number },
  items: readonly RunItem[],
): StoredWaves | null {
  if (askUntil === undefined || items.length === 0) return null;
  const max = wavesMax(askUntil, repeats);
  const most = max * pointsOf(items);
  return {
    asked: 1,
    max,
    tasksMax: max * items.length,
    pointsMax: askUntil.pointsMax === null ? most : Math.min(most, askUntil.pointsMax),
    stopped: null,
    problem: null,
    platforms: [],
  };
}

export const wavesMax = ({ repeatsMax }: AskUntil, repeats: number): number => Math.floor(repeatsMax / repeats);

/** The price of the fewest questions after which a run can stop, if each is answered. */
export const leastPoints = (items: readonly RunItem[]): number =>
  Math.floor(pointsOf(items) * (1 + waveShareMin * (wavesMin - 1)));

export const pointsOf = (items: readonly RunItem[]): number =>
  items.reduce((sum, { item }) => sum + item.pricePoints, 0);

const retired: RunWaves["problem"] = {
  code: "measure_retired",
  detail:
    "The panel asks until `recommendation` is known, which is no longer measured. Only the first wave was asked and charged. Set `askUntil` of the panel with another measure, such as `listed`, and its next run asks in waves again.",
};

/** A question that the run has asked. */
export interface AskedQuestion extends WaveTask {
  readonly platform: string;
}

export interface WaveInput {
  readonly runId: string;
  readonly waves: StoredWaves;
  readonly askUntil: AskUntil;
  readonly repeats: number;
  /** What a wave asks of each cell that it draws, by cell: `repeats` items. */
  readonly items: ReadonlyMap<string, readonly RunItem[]>;
  readonly asked: readonly AskedQuestion[];
  /** The cells that say something about the measure. */
  readonly measured: ReadonlySet<string>;
  readonly pointsAsked: number;
  readonly hasCanceled: boolean;
}

/**
 * What follows a wave whose tasks have all ended: the items of the next one, or the reason to stop. The result depends only on
 * the input.
 */
export function decideWave(input: WaveInput): { readonly waves: StoredWaves; readonly items: readonly RunItem[] } {
  const { waves, askUntil, asked, pointsAsked, hasCanceled } = input;
  const ofPlatform = [...Map.groupBy(asked, ({ platform }) => platform)].map(([platform, tasks]) =>
    readPlatform(input, platform, tasks),
  );
  const platforms = ofPlatform.map(({ record }) => record);
  const stop = (stopped: StoredWaves["stopped"]) => ({
    waves: {
      ...waves,
      stopped,
      problem: stopped === "nothing_to_measure" && !isMeasured(askUntil.measure) ? retired : waves.problem,
      platforms: platforms.map((one) => ({ ...one, stopped: one.stopped ?? stopped })),
    },
    items: [],
  });
  if (hasCanceled) return stop("canceled");
  const open = ofPlatform.filter(({ record }) => record.stopped === null);
  if (open.length === 0) return stop(reasonOf(platforms));
  if (waves.asked >= waves.max) return stop("repeats_max");
  const items = open.flatMap(({ draw }) => draw());
  if (pointsAsked + pointsOf(items) > (askUntil.pointsMax ?? Number.POSITIVE_INFINITY)) return stop("points_max");
  return { waves: { ...waves, asked: waves.asked + 1, platforms }, items };
}

/** The run's reason: the first of these with which a platform stopped. */
function reasonOf(platforms: readonly WavesOfPlatform[]): StoredWaves["stopped"] {
  const reasons = (["no_answers", "nothing_to_measure"] as const).filter((reason) =>
    platforms.some(({ stopped }) => stopped === reason),
  );
  return reasons[0] ?? "width_reached";
}

function readPlatform(input: WaveInput, platformCode: string, tasks: readonly AskedQuestion[]) {
  const { waves, askUntil, measured, runId, items } = input;
  const cells = [...new Set(tasks.map(({ cell }) => cell))].toSorted();
  const known = cells.filter((cell) => measured.has(cell));
  const before = waves.platforms.find((one) => one.platformCode === platformCode);
  const { figure, answers, lastAnswers, probabilities } = readWaves(known, tasks);
  const hasAnswers = answers > 0;
  const record: WavesOfPlatform = {
    platformCode,
    waves: figure.waves,
    answers,
    value: hasAnswers ? figure.value : null,
    low: figure.low === null ? null : Math.max(0, figure.low),
    high: figure.high === null ? null : Math.min(1, figure.high),
    width: figure.width,
    stopped:
      known.length === 0
        ? "nothing_to_measure"
        : lastAnswers === 0
          ? "no_answers"
          : figure.width !== null && figure.width <= askUntil.width
            ? "width_reached"
            : null,
  };
  const ofCell = new Map(known.map((cell, index) => [cell, probabilities[index] ?? 1]));
  const draw = (): RunItem[] => {
    const chances = cells.map((cell) => ofCell.get(cell) ?? waveShareMin);
    const isDrawn = drawWave(chances, fraction(`${runId} ${waves.asked + 1} ${platformCode}`));
    return cells.flatMap((cell, index) =>
      isDrawn[index] === true
        ? (items.get(cell) ?? []).map((one) => ({
            ...one,
            repeat: waves.asked * input.repeats + one.repeat,
            probability: chances[index] ?? 1,
          }))
        : [],
    );
  };
  // The record with which a platform stopped is kept, even if an answer is parsed again meanwhile.
  return { record: before !== undefined && before.stopped !== null ? before : record, draw };
}

/** A number from 0 to below 1 that depends only on the text. */
const fraction = (text: string) => createHash("sha256").update(text).digest().readUInt32BE() / 2 ** 32;

/** One task of a run, not created yet. */
export interface RunItem {
  readonly cell: PanelCell;
  /** From 1. */
  readonly repeat: number;
  /** With which probability its wave asks the cell. Default: 1. */
  readonly probability?: number;
  readonly item: AcceptableItem;
}

export type WaveMeasure = (typeof waveMeasures)[number];

/** False: an earlier version measured it, with which the panel was made. */
export const isMeasured = (measure: AskUntil["measure"]): measure is WaveMeasure =>
  waveMeasures.some((each) => each === measure);
