/** Whether 95 % means 95 %, also where runs are not independent: intervals of simulated panels whose truth is known. */
import { estimate, type Cell, type EstimatedFigure } from "@querent/figures";
import { meanRate, randomFrom } from "../../../figures/test/simulated-panels.ts";

interface Kind {
  readonly name: string;
  readonly prompts: number;
  readonly promptsOfTopic: number;
  readonly runs: number;
  /** On the logit scale: the mean rate, and the standard deviations of topics, prompts, and of what runs move all prompts by. */
  readonly logit: number;
  readonly ofTopics: number;
  readonly ofPrompts: number;
  readonly ofRuns: number;
  /** The correlation of what a run moves all prompts by with that of the run before. */
  readonly memory: number;
  /** The correlation of what moves a single prompt (with a standard deviation of 1.5) with that of the run before; 0: nothing does. */
  readonly ownMemory: number;
  /** The share of answers that are repeated from the run before. */
  readonly repeats: number;
  /** The share of prompts that are always answered alike, half of them one way. */
  readonly certain: number;
  /** The share of answers that are lost among those that name the brand: then the bounds beside the interval are what is stated. */
  readonly lost: number;
}

const panel: Omit<Kind, "name"> = {
  prompts: 50,
  promptsOfTopic: 2,
  runs: 14,
  logit: -0.5,
  ofTopics: 1,
  ofPrompts: 1,
  ofRuns: 0,
  memory: 0,
  ownMemory: 0,
  repeats: 0,
  certain: 0,
  lost: 0,
};

const kinds: readonly Kind[] = [
  { ...panel, name: "independent answers, 7 runs", runs: 7 },
  { ...panel, name: "independent answers, 14 runs" },
  { ...panel, name: "independent answers of 10 prompts, 7 runs", prompts: 10, promptsOfTopic: 1, runs: 7 },
  { ...panel, name: "a rate of 1.5 %", logit: -5 },
  { ...panel, name: "answers that never or always name it, but for one in five prompts", certain: 0.8 },
  { ...panel, name: "strong topics", ofTopics: 3, ofPrompts: 0.3, promptsOfTopic: 2 },
  { ...panel, name: "runs that move all prompts", ofRuns: 0.5 },
  { ...panel, name: "20 % of answers repeated", repeats: 0.2 },
  { ...panel, name: "35 % of answers repeated", repeats: 0.35 },
  { ...panel, name: "50 % of answers repeated", repeats: 0.5 },
  { ...panel, name: "50 % of answers repeated, 7 runs", repeats: 0.5, runs: 7 },
  { ...panel, name: "prompts that remember (0.7)", ownMemory: 0.7 },
  { ...panel, name: "prompts that remember (0.7), 7 runs", ownMemory: 0.7, runs: 7 },
  { ...panel, name: "runs that move all and remember (0.4)", ofRuns: 0.5, memory: 0.4 },
  { ...panel, name: "runs that move all and remember (0.7), 7 runs", ofRuns: 0.5, memory: 0.7, runs: 7 },
  { ...panel, name: "runs that move all and remember (0.7), 14 runs", ofRuns: 0.5, memory: 0.7 },
  { ...panel, name: "runs that move all and remember (0.7), 28 runs", ofRuns: 0.5, memory: 0.7, runs: 28 },
  { ...panel, name: "runs that move all a little and remember (0.7), 28 runs", ofRuns: 0.2, memory: 0.7, runs: 28 },
  { ...panel, name: "bounds where 5 % of the answers that name it are missing", lost: 0.05 },
  { ...panel, name: "bounds where 20 % of the answers that name it are missing", lost: 0.2 },
];

const rounds = Number(process.argv[2] ?? 1000);
const only = process.argv[3] === undefined ? null : new RegExp(process.argv[3]);
const logistic = (x: number) => 1 / (1 + Math.exp(-x));

/** What is known of a panel, and what its cells would be if no missing answer had named the brand, or all of them had. */
interface Simulated {
  readonly cells: Cell[];
  readonly none: Cell[];
  readonly all: Cell[];
  readonly rate: number;
}

function simulate(kind: Kind, random: () => number): Simulated {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const autoregressive = (deviation: number, memory: number) => {
    let state = normal();
    return Array.from({ length: kind.runs }, () => {
      state = memory * state + Math.sqrt(1 - memory ** 2) * normal();
      return deviation * state;
    });
  };
  const shifts = autoregressive(kind.ofRuns, kind.memory);
  const made: Record<"cells" | "none" | "all", Cell[]> = { cells: [], none: [], all: [] };
  let total = 0;
  let ofTopic = 0;
  for (let prompt = 0; prompt < kind.prompts; prompt++) {
    if (prompt % kind.promptsOfTopic === 0) ofTopic = kind.logit + kind.ofTopics * normal();
    const isCertain = random() < kind.certain;
    const logit = isCertain ? (random() < 0.5 ? 40 : -40) : ofTopic + kind.ofPrompts * normal();
    const ownDeviation = kind.ownMemory === 0 ? 0 : 1.5;
    const own = autoregressive(ownDeviation, kind.ownMemory);
    total += meanRate(logit, Math.hypot(kind.ofRuns, ownDeviation));
    let before: 0 | 1 | null = null;
    const answers = shifts.map((shift, run) => {
      const fresh = random() < logistic(logit + shift + (own[run] ?? 0)) ? 1 : 0;
      const value: 0 | 1 = before !== null && random() < kind.repeats ? before : fresh;
      before = value;
      return { run: `r${run}`, value, isLost: kind.lost > 0 && value === 1 && random() < kind.lost };
    });
    const cellOf = (of: readonly { run: string; value: 0 | 1 }[]) => ({
      topic: `t${Math.floor(prompt / kind.promptsOfTopic)}`,
      weight: 1,
      answers: of.map(({ run, value }) => ({ run, value })),
    });
    made.cells.push(cellOf(answers.filter(({ isLost }) => !isLost)));
    made.none.push(cellOf(answers.map((one) => (one.isLost ? { ...one, value: 0 } : one))));
    made.all.push(cellOf(answers));
  }
  return { ...made, rate: total / kind.prompts };
}

interface Tally {
  published: number;
  covered: number;
  width: number;
  readonly reasons: Map<string, number>;
}

function count(tally: Tally, { interval, tooFew }: EstimatedFigure, truth: number): void {
  if (interval === null) {
    const what = tooFew?.what ?? "none";
    tally.reasons.set(what, (tally.reasons.get(what) ?? 0) + 1);
    return;
  }
  tally.published++;
  tally.width += interval.high - interval.low;
  if (interval.low <= truth && truth <= interval.high) tally.covered++;
}

/** The interval, or where answers are missing, the bounds beside it: from the lower end if none had named the brand to the upper one if all had. */
function figureOf({ lost }: Kind, { cells, none, all }: Simulated, scope: "these_prompts" | "prompts_like_these") {
  const figure = estimate(cells, "rate", scope);
  if (lost === 0 || figure.interval === null) return figure;
  const [low, high] = [estimate(none, "rate", scope).interval, estimate(all, "rate", scope).interval];
  if (low === null || high === null) return figure;
  const { interval } = figure;
  return {
    ...figure,
    interval: { ...interval, low: Math.min(interval.low, low.low), high: Math.max(interval.high, high.high) },
  };
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const stated = ({ published, covered, width, reasons }: Tally) =>
  [
    published === 0 ? "none" : `${percent(covered / published)} (${percent(width / published)} wide)`,
    ...[...reasons].map(([reason, times]) => `\`${reason}\` ${percent(times / rounds)}`),
  ].join(", ");

process.stdout.write("| Panels | These prompts | Prompts like these |\n| --- | --- | --- |\n");
for (const kind of kinds) {
  if (only !== null && !only.test(kind.name)) continue;
  const random = randomFrom(20_261_129);
  const deviation = Math.hypot(kind.ofTopics, kind.ofPrompts, kind.ofRuns, kind.ownMemory === 0 ? 0 : 1.5);
  const ofAll = kind.certain / 2 + (1 - kind.certain) * meanRate(kind.logit, deviation);
  const [these, like]: readonly [Tally, Tally] = [
    { published: 0, covered: 0, width: 0, reasons: new Map() },
    { published: 0, covered: 0, width: 0, reasons: new Map() },
  ];
  for (let round = 0; round < rounds; round++) {
    const simulated = simulate(kind, random);
    count(these, figureOf(kind, simulated, "these_prompts"), simulated.rate);
    count(like, figureOf(kind, simulated, "prompts_like_these"), ofAll);
  }
  process.stdout.write(`| ${kind.name} | ${stated(these)} | ${stated(like)} |\n`);
}
