/** The simulated studies of changes, for the tests and for the table that `bench` prints. */
import { fivePoints, pairedT, pooledZ } from "./naive-tests.ts";
import type { JudgedChange } from "../src/index.ts";
import { dayName, oneModel, simulateWeeks, watch, type SimulatedWeeks } from "./simulated-changes.ts";
import { randomFrom } from "./simulated-panels.ts";

/** The panels of a study, unless each takes longer than most. */
export const panelsMax = 200;

/** Twelve series take as long as twelve panels, and 24 runs a day as long as eight panels of three. */
export const studiedPanels = ({ series, runsOfDay }: SimulatedWeeks) => (series > 1 || runsOfDay > 3 ? 25 : panelsMax);

export const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

const base: SimulatedWeeks = {
  days: 28,
  runsOfDay: 3,
  prompts: 50,
  series: 1,
  logit: 0,
  ofDays: 0,
  ofRuns: 0,
  model: oneModel,
};
const beta = { name: "beta", adds: 0.2 };
const isOneOf = (share: number, random: () => number) => (random() < share ? oneModel() : beta);
/** The shares of a model that a vendor's load gives it on the days of a week. */
const loads = [0.3, 0.5, 0.8, 0.2, 0.6, 0.45, 0.7];

/** Nothing changes in these panels but, in some, which model answers. */
export const unchanged: Readonly<Record<string, SimulatedWeeks>> = {
  "24 runs a day": { ...base, runsOfDay: 24 },
  "a run a day": { ...base, runsOfDay: 1 },
  "three runs a day, each day moves every prompt": { ...base, ofDays: 0.3 },
  "three runs a day, each run moves every prompt": { ...base, ofRuns: 0.3 },
  "a run of 15 to 30 waves a day, which moves every prompt": { ...base, runsOfDay: 1, ofDays: 0.2, inWaves: true },
  "runs that move all prompts a little and remember (0.7)": { ...base, runsOfDay: 1, ofDays: 0.3, memory: 0.7 },
  "runs that move all prompts and remember (0.7)": { ...base, runsOfDay: 1, ofDays: 0.5, memory: 0.7 },
  "prompts that remember (0.7)": { ...base, runsOfDay: 1, ownMemory: 0.7 },
  "35 % of answers repeated": { ...base, runsOfDay: 1, repeats: 0.35 },
  "50 % of answers repeated": { ...base, runsOfDay: 1, repeats: 0.5 },
  "50 % of answers repeated, and runs that remember (0.7)": {
    ...base,
    runsOfDay: 1,
    repeats: 0.5,
    ofDays: 0.3,
    memory: 0.7,
  },
  "a rate of about 3 %": { ...base, logit: -4 },
  "three prompts, a run a day": { ...base, runsOfDay: 1, prompts: 3, logit: -1 },
  "12 series": { ...base, runsOfDay: 1, series: 12 },
  "two models, 20 points apart, alternate from answer to answer": {
    ...base,
    runsOfDay: 1,
    model: (day, random) => isOneOf(loads[day % 7] ?? 0, random),
  },
  "two models, 20 points apart, alternate from day to day": {
    ...base,
    runsOfDay: 1,
    model: (day) => ((day * 3) % 5 < 2 ? oneModel() : beta),
  },
  "the share of a model that is 20 points better goes from 15 % to 85 % on day 15": {
    ...base,
    runsOfDay: 1,
    logit: -0.5,
    model: (day, random) => isOneOf(day < 14 ? 0.85 : 0.15, random),
  },
  "the model changes on day 15 and is 20 points better": {
    ...base,
    runsOfDay: 1,
    logit: -0.5,
    model: (day) => (day < 14 ? oneModel() : beta),
  },
};

const fall = { series: 1, from: 14, factor: 0.7 };

/** On day 15, the rate of the first series falls by 30 %. */
export const falls: Readonly<Record<string, SimulatedWeeks>> = {
  "a run a day": { ...base, runsOfDay: 1, change: fall },
  "three runs a day": { ...base, change: fall },
  "a run a day, a rate of 25 %": { ...base, runsOfDay: 1, logit: -1.3, change: fall },
  "a run a day, 35 % of answers repeated": { ...base, runsOfDay: 1, repeats: 0.35, change: fall },
  "a run a day, two models alternate": {
    ...base,
    runsOfDay: 1,
    change: fall,
    model: (day, random) => isOneOf(loads[day % 7] ?? 0, random),
  },
  "a run a day, one of 12 series": { ...base, runsOfDay: 1, series: 12, change: fall },
  "three runs a day, one of 12 series": { ...base, series: 12, change: fall },
};

/** A rate of 25 % comes to 60 %, from one day to the next or over weeks, in panels that go on for two weeks after it. */
export const rises: Readonly<Record<string, SimulatedWeeks>> = Object.fromEntries(
  [1, 10, 20].map((over) => [
    over === 1 ? "at once" : `over ${over} days`,
    { ...base, runsOfDay: 1, logit: -1.3, days: 24 + over, change: { series: 1, from: 10, factor: 2.4, over } },
  ]),
);

export interface RiseStudy {
  /** The share of the panels in which a change is found, and how many there are in one. */
  readonly found: number;
  readonly changes: number;
  /** Of the first changes: how many have the day with which it began between `earliest` and `latest`, and how many days those are. */
  readonly dated: number;
  readonly days: number;
  /** The shares of all changes. */
  readonly sudden: number;
  readonly gradual: number;
}

export function studyRise(weeks: SimulatedWeeks, panels: number, seed = 5): RiseStudy {
  const random = randomFrom(seed);
  const began = dayName(weeks.change?.from ?? 0);
  const all: JudgedChange[] = [];
  const firsts: JudgedChange[] = [];
  for (let panel = 0; panel < panels; panel++) {
    const { changes } = watch(weeks, random);
    all.push(...changes);
    firsts.push(...changes.slice(0, 1));
  }
  const share = (changes: readonly JudgedChange[], is: (change: JudgedChange) => boolean) =>
    changes.filter(is).length / Math.max(1, changes.length);
  const daysOf = ({ earliest, latest }: JudgedChange) => (Date.parse(latest) - Date.parse(earliest)) / 86_400_000 + 1;
  return {
    found: firsts.length / panels,
    changes: all.length / Math.max(1, firsts.length),
    dated: share(firsts, ({ earliest, latest }) => earliest <= began && began <= latest),
    days: firsts.reduce((sum, change) => sum + daysOf(change), 0) / Math.max(1, firsts.length),
    sudden: share(all, ({ shape }) => shape === "sudden"),
    gradual: share(all, ({ shape }) => shape === "gradual"),
  };
}

export interface Study {
  /** The share of the panels with an alarm, from a day on if one is given. */
  readonly alarms: number;
  /** The median of the days from the change to the alarm, the day of the change included. */
  readonly medianDays: number | null;
  /** Instrument changes in a panel. */
  readonly seams: number;
}

export function study(weeks: SimulatedWeeks, panels: number, seed = 7): Study {
  const random = randomFrom(seed);
  const from = weeks.change?.from ?? 0;
  const days: number[] = [];
  let seams = 0;
  for (let panel = 0; panel < panels; panel++) {
    const seen = watch(weeks, random);
    seams += seen.seams.length;
    const first = Math.min(...seen.found.values());
    if (first >= from && first < weeks.days) days.push(first - from + 1);
  }
  days.sort((a, b) => a - b);
  return { alarms: days.length / panels, medianDays: days[Math.floor(days.length / 2)] ?? null, seams: seams / panels };
}

/** The mean share of false changes among all that were ever found, if 50 of 500 series fall by half. */
export function falseDiscoveryRate(rounds: number, seed = 3): { rate: number; found: number } {
  const random = randomFrom(seed);
  const change = { series: 50, from: 12, factor: 0.5 };
  let [rate, found] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const series = [...watch({ ...base, runsOfDay: 1, series: 500, main: 500, change }, random).found.keys()];
    const wrong = series.filter((index) => index >= change.series).length;
    rate += series.length === 0 ? 0 : wrong / series.length / rounds;
    found += (series.length - wrong) / change.series / rounds;
  }
  return { rate, found };
}

/** The share of unchanged panels in which naive tests, looked at each day, ever raise an alarm. */
export function studyNaive(panels: number, weeks: SimulatedWeeks = { ...base, runsOfDay: 1 }, seed = 7) {
  const random = randomFrom(seed);
  const counts = { fivePoints: 0, pooledZ: 0, pairedT: 0 };
  for (let panel = 0; panel < panels; panel++) {
    const looks = [...simulateWeeks(weeks, random)].map(({ day, history }) => history.slice(0, day + 1));
    if (looks.some(fivePoints)) counts.fivePoints++;
    if (looks.some((history) => pooledZ(history))) counts.pooledZ++;
    if (looks.some(pairedT)) counts.pairedT++;
  }
  return {
    fivePoints: counts.fivePoints / panels,
    pooledZ: counts.pooledZ / panels,
    pairedT: counts.pairedT / panels,
  };
}
