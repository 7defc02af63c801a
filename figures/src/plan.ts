import { slowWavesOf } from "./dependence.ts";
import { normalCdf, normalQuantile, tQuantile } from "./distributions.ts";
import { runsMin, topicsMin, wilson, type IntervalScope } from "./estimate.ts";
import type { VarianceComponents } from "./variance-components.ts";
import { sizeOf } from "./variance-of-runs.ts";

export interface WantedPrecision {
  readonly scope: IntervalScope;
  readonly kind: "rate" | "mean";
  /** The wanted width of the interval of 95 %: from its low to its high end. */
  readonly width: number;
  /** Those of the panel now. */
  readonly topics: number;
  readonly prompts: number;
  readonly runsMax: number;
  readonly repeatsMax: number;
  readonly promptsMax: number;
}

/** How often to ask how many prompts, and what comes of it. */
export interface PlannedDesign {
  readonly topics: number;
  readonly prompts: number;
  readonly runs: number;
  readonly repeats: number;
  /** Prompts x runs x repeats. */
  readonly answers: number;
  /** The width to expect, and between which widths it is in 80 % of such panels, considering how little a small pilot knows. */
  readonly width: number;
  readonly likely: { readonly low: number; readonly high: number };
  /** What would have to be more to make it narrower, and how much of the variance each has. */
  readonly parts: { readonly topics: number; readonly runs: number; readonly answers: number };
  /** What it could not have less of: a floor below which there is no interval, or the width. */
  readonly bound: "width" | "runs" | "topics";
}

export interface Plan {
  /** With the prompts that there are. Null: not within the most runs and repeats; see `least`. */
  readonly samePrompts: PlannedDesign | null;
  /** With as many topics as is cheapest. Null for `these_prompts`, or if there is none. */
  readonly moreTopics: PlannedDesign | null;
  /** The narrowest that the prompts that there are can reach, with the most runs and repeats. Null: below a floor. */
  readonly least: PlannedDesign | null;
}

/** The width to expect may be exceeded by this much in one of ten panels. */
const exceeded = 1.15;
const certainty = 0.9;
/** The width to expect: as many panels have a narrower interval as have a wider one. */
const median = 0.5;

/**
 * The cheapest ways to an interval of a wanted width: the width to expect is at most the wanted one, and in nine of ten panels at most
 * 15 % more. Repeats of one run are asked only if there are no more runs, because a further run tells at least as much.
 */
export function plan(components: VarianceComponents, request: WantedPrecision): Plan {
  const { topics, prompts, runsMax, repeatsMax, scope } = request;
  const here = { topics, prompts };
  const enough = isEnough(components, request);
  const isBelowFloor = runsMax < runsMin || (scope === "prompts_like_these" && here.topics < topicsMin);
  const designed = (given: Given) => designOf(components, request, given);
  const samePrompts = isBelowFloor ? null : cheapest(repeatsAndRuns(here, request, enough));
  const moreTopics = scope === "these_prompts" ? null : cheapest(topicsAndRuns(request, enough));
  return {
    samePrompts: samePrompts === null ? null : designed(samePrompts),
    moreTopics: moreTopics === null ? null : designed(moreTopics),
    least: isBelowFloor ? null : designed({ ...here, runs: runsMax, repeats: repeatsMax }),
  };
}

interface Given {
  readonly topics: number;
  readonly prompts: number;
  readonly runs: number;
  readonly repeats: number;
}
type Enough = (given: Given) => boolean;

function isEnough(components: VarianceComponents, request: WantedPrecision): Enough {
  return (given) =>
    likelyWidth(components, request, given, median) <= request.width &&
    likelyWidth(components, request, given, certainty) <= exceeded * request.width;
}

function* repeatsAndRuns(
  here: Pick<Given, "topics" | "prompts">,
  { runsMax, repeatsMax }: WantedPrecision,
  enough: Enough,
): Generator<Given, void, void> {
  for (let repeats = 1; repeats <= repeatsMax; repeats++) {
    const runs = least(runsMin, runsMax, (count) => enough({ ...here, runs: count, repeats }));
    if (runs !== null) yield { ...here, runs, repeats };
    // Fewer runs than the floor are not possible, so more repeats only cost more.
    if (runs === runsMin) return;
  }
}

function* topicsAndRuns(
  { topics, prompts, runsMax, repeatsMax, promptsMax }: WantedPrecision,
  enough: Enough,
): Generator<Given, void, void> {
  let fewest = Infinity;
  for (const perTopic of new Set([1, Math.max(1, Math.round(prompts / topics))]))
    for (let repeats = 1; repeats <= Math.min(3, repeatsMax); repeats++)
      for (let runs = likeRunsMin; runs <= runsMax; runs = Math.ceil(runs * 1.2)) {
        const given = (count: number) => ({ topics: count, prompts: count * perTopic, runs, repeats });
        // More runs have long become more expensive.
        if (answersOf(given(topicsMin)) > fewest) break;
        const count = least(topicsMin, Math.floor(promptsMax / perTopic), (number) => enough(given(number)));
        if (count === null) continue;
        yield given(count);
        if (answersOf(given(count)) > 1.5 * fewest) break;
        fewest = Math.min(fewest, answersOf(given(count)));
      }
}

/** With fewer runs, what they have in common is known too badly to promise a width. */
const likeRunsMin = 10;

/** The least number for which it holds, if it holds for all above. Null: for none. */
function least(from: number, to: number, holds: (count: number) => boolean): number | null {
  if (to < from || !holds(to)) return null;
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const answersOf = ({ prompts, runs, repeats }: Given) => prompts * runs * repeats;

function cheapest(designs: Iterable<Given>): Given | null {
  let best: Given | null = null;
  for (const design of designs)
    if (
      best === null ||
      answersOf(design) < answersOf(best) ||
      (answersOf(design) === answersOf(best) && design.runs < best.runs)
    )
      best = design;
  return best;
}

function designOf(components: VarianceComponents, request: WantedPrecision, given: Given): PlannedDesign {
  const { parts } = spreadOf(components, request.scope, given);
  const total = parts.topics + parts.runs + parts.answers;
  const share = (part: number) => (total === 0 ? 0 : part / total);
  const width = likelyWidth(components, request, given, median);
  const isLike = request.scope === "prompts_like_these";
  const isAtFloor = given.runs === (isLike ? likeRunsMin : runsMin) && width < 0.95 * request.width;
  return {
    ...given,
    answers: answersOf(given),
    width,
    likely: {
      low: likelyWidth(components, request, given, 1 - certainty),
      high: likelyWidth(components, request, given, certainty),
    },
    parts: { topics: share(parts.topics), runs: share(parts.runs), answers: share(parts.answers) },
    bound: isLike && given.topics === topicsMin && isAtFloor ? "topics" : isAtFloor ? "runs" : "width",
  };
}

interface Spread {
  /** That `estimate` is to find, on average, with its degrees of freedom. */
  readonly variance: number;
  readonly df: number;
  /** How much what it finds varies from panel to panel, and what the pilot knows: the variance of either, as a share of its square. */
  readonly ofDesign: number;
  readonly ofPilot: number;
  readonly parts: { readonly topics: number; readonly runs: number; readonly answers: number };
}

function spreadOf(
  components: VarianceComponents,
  scope: IntervalScope,
  { topics, prompts, runs, repeats }: Given,
): Spread {
  const { ofTopics, ofPrompts, ofRuns, ofGroups, ofAnswers, pilot } = components;
  const answers = (ofGroups + ofAnswers / repeats) / (runs * prompts);
  const common = ofRuns / runs;
  const unknown = (known: number | undefined, part: number) =>
    known === undefined ? 0 : (2 / Math.max(1, known - 1)) * part ** 2;
  // `estimate` assumes that one answer more disagrees, spread over all cells.
  const floor = 1 / (prompts * (runs - 1) + 2) / (prompts * runs);
  // What runs have in common is estimated as a difference that is not below 0, and the more it is, the more from a few slow waves: on
  // average it is more than there is.
  const [from, span] = scope === "these_prompts" ? [0.1, 0.5] : [0.6, 1];
  const believed = answers === 0 ? Number(common > 0) : Math.min(1, Math.max(0, (common / answers - from) / span));
  const commonDf = believed * slowWavesOf(runs) + (1 - believed) * (runs - 1);
  const deviation = (common + answers) * Math.sqrt(2 / commonDf);
  const found = meanAboveZero(common, deviation);
  const ofFound = found * (2 * common + deviation) * Math.sqrt(2 / commonDf);
  const parts = { topics: 0, runs: common, answers };
  if (scope === "these_prompts") {
    const within = answers + floor;
    const variance = within + found;
    const withinDf = prompts * (runs - 1);
    return {
      variance,
      df: variance ** 2 / (within ** 2 / withinDf + found ** 2 / commonDf),
      ofDesign: relative((2 / withinDf) * within ** 2 + ofFound, variance),
      ofPilot: relative(unknown(pilot?.cells, answers) + unknown(pilot?.runs, common), variance),
      parts,
    };
  }
  const sampled = ofTopics / topics + ofPrompts / prompts;
  const between = sampled + answers;
  const variance = between + found;
  return {
    variance,
    df: variance === 0 ? topics - 1 : variance ** 2 / (between ** 2 / (topics - 1) + found ** 2 / commonDf),
    ofDesign: (2 / (topics - 1)) * relative(between ** 2, variance) + relative(ofFound, variance),
    ofPilot: relative(unknown(pilot?.topics, between) + unknown(pilot?.runs, common), variance),
    parts: { ...parts, topics: sampled },
  };
}

const relative = (part: number, variance: number) => (variance === 0 ? 0 : part / variance ** 2);

/** The mean of the part above 0 of a normal variable. */
function meanAboveZero(center: number, deviation: number): number {
  if (deviation === 0) return center;
  const z = center / deviation;
  return center * normalCdf(z) + (deviation * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

function widthOf(
  { value }: VarianceComponents,
  { kind, scope }: Pick<WantedPrecision, "scope" | "kind">,
  { topics, prompts, runs }: Given,
  variance: number,
  df: number,
): number {
  const t = tQuantile(0.975, df);
  if (kind === "mean") return 2 * t * Math.sqrt(variance);
  const { low, high } = wilson(value, sizeOf(value, variance, scope === "these_prompts" ? prompts * runs : topics), t);
  return high - low;
}

/**
 * The width that is not exceeded with this probability. The cube root of an estimated variance is about normal (Wilson and Hilferty),
 * both of the one to be found and of the pilot's, by which it is divided.
 */
function likelyWidth(
  components: VarianceComponents,
  request: Pick<WantedPrecision, "scope" | "kind">,
  given: Given,
  probability: number,
): number {
  const { variance, df, ofDesign, ofPilot } = spreadOf(components, request.scope, given);
  const center = (1 - ofDesign / 9) / (1 - ofPilot / 9);
  const cube = center + normalQuantile(probability) * Math.sqrt((ofDesign + ofPilot) / 9);
  return widthOf(components, request, given, variance * Math.max(0, cube) ** 3, df);
}
