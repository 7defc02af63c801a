/** Panels over weeks whose truth is known, in which changes are looked for after each run. */
import {
  drawWave,
  judgeChanges,
  probabilitiesOf,
  wavesMin,
  type CellDay,
  type ChangeSeries,
  type FormerChange,
  type JudgedChange,
  type InstrumentDay,
  type PanelSeries,
  type SeriesJudgement,
} from "../src/index.ts";

export interface SimulatedWeeks {
  readonly days: number;
  readonly runsOfDay: number;
  readonly prompts: number;
  readonly series: number;
  /** So many of them are main series. Default: 1. */
  readonly main?: number;
  /** The mean rate on the logit scale, around which prompts differ with a standard deviation of 1. */
  readonly logit: number;
  /** The standard deviations, on the logit scale, of what moves every prompt for a day, and for a run. */
  readonly ofDays: number;
  readonly ofRuns: number;
  /** The correlation of what moves every prompt for a day with that of the day before. Default: 0. */
  readonly memory?: number;
  /** The same of what moves a single prompt for a day, with a standard deviation of 1.5. Default: nothing does. */
  readonly ownMemory?: number;
  /** The share of answers that are those of the day before. Default: 0. */
  readonly repeats?: number;
  /** Of the series of this index and those before, the rate is multiplied by this from a day on, or comes to it over some days. */
  readonly change?: { readonly series: number; readonly from: number; readonly factor: number; readonly over?: number };
  /** A run asks 15 to 30 waves, and prompts whose answers of the first series agree less often. */
  readonly inWaves?: boolean;
  /** The model that answers, and how many points it adds to every rate. */
  readonly model: (day: number, random: () => number) => { readonly name: string; readonly adds: number };
}

export const oneModel = () => ({ name: "alpha", adds: 0 });

export interface Look {
  readonly day: number;
  readonly panel: PanelSeries;
  /** The rate of each prompt of the first series on each day that has passed, over all of its answers. */
  readonly history: readonly (readonly number[])[];
}

/** What was found at some look: which series, and how many segments the last look had. */
export interface Finding {
  readonly found: ReadonlyMap<number, number>;
  /** Each change of the first series, in order. */
  readonly changes: readonly JudgedChange[];
  readonly seams: readonly string[];
}

/** Looks at a panel after each run, and remembers what was ever found, with the day of the first look that found it. */
export function watch(weeks: SimulatedWeeks, random: () => number): Finding {
  const found = new Map<number, number>();
  const seams = new Set<string>();
  const last = new Map<ChangeSeries, FormerChange>();
  const changes: JudgedChange[] = [];
  for (const { day, panel } of simulateWeeks(weeks, random)) {
    for (const [index, verdict] of judgeChanges(panel, (series) => last.get(series) ?? null).entries()) {
      note(verdict, seams);
      if (verdict.verdict !== "changed") continue;
      if (!found.has(index)) found.set(index, day);
      if (index === 0) changes.push(verdict.change);
      last.set(verdict.series, { day: dayName(day), direction: verdict.change.direction });
    }
  }
  return { found, changes, seams: [...seams] };
}

const note = ({ segment: { seam } }: SeriesJudgement, seams: Set<string>) => seam !== null && seams.add(seam.day);

export const dayName = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);

/** The panel after each run. The same objects grow from look to look. */
export function* simulateWeeks(weeks: SimulatedWeeks, random: () => number): Generator<Look> {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const about = {
    measure: "presence",
    domain: null,
    platformCode: "sim",
    kind: "api",
    locale: "",
    persona: "",
  } as const;
  const series = Array.from({ length: weeks.series }, (_, index) => ({
    one: { ...about, entityId: `e${index}`, isMain: index < (weeks.main ?? 1), sums: [] as CellDay[] },
    logits: Array.from({ length: weeks.prompts }, () => weeks.logit + normal()),
    own: Array.from({ length: weeks.prompts }, () => normal()),
    before: Array.from({ length: weeks.prompts }, (): number | null => null),
    ofDay: normal(),
  }));
  const { memory = 0, ownMemory = 0, repeats = 0 } = weeks;
  const next = (state: number, correlation: number) =>
    correlation === 0 ? normal() : correlation * state + Math.sqrt(1 - correlation ** 2) * normal();
  const days: (InstrumentDay & { answers: Map<string, number> })[] = [];
  const platform = { platformCode: "sim", kind: "api", days, instruments: new Map() } as const;
  const history: number[][] = [];
  for (let day = 0; day < weeks.days; day++) {
    const counts = new Map<string, number>();
    const today = dayName(day);
    days.push({ day: today, runId: `r${day}`, answers: counts });
    for (const one of series) {
      one.ofDay = next(one.ofDay, memory);
      if (ownMemory > 0) one.own = one.own.map((state) => next(state, ownMemory));
    }
    const cells = series.map(() => new Map<string, CellDay>());
    const hits = Array.from({ length: weeks.prompts }, () => 0);
    const promptNames = Array.from({ length: weeks.prompts }, (_, prompt) => `p${prompt}`);
    for (let run = 0; run < weeks.runsOfDay; run++) {
      const ofRun = series.map(() => weeks.ofRuns * normal());
      for (const { prompt, probability, known } of questions(weeks, random)) {
        const { name, adds } = weeks.model(day, random);
        counts.set(name, (counts.get(name) ?? 0) + 1);
        for (const [index, { one, logits, own, before, ofDay }] of series.entries()) {
          const ofPrompt = (logits[prompt] ?? 0) + (ownMemory > 0 ? 1.5 * (own[prompt] ?? 0) : 0);
          const logit = ofPrompt + weeks.ofDays * ofDay + (ofRun[index] ?? 0);
          const rate = (adds + 1 / (1 + Math.exp(-logit))) * factorOn(weeks, index, day);
          const former = repeats > 0 && random() < repeats ? (before[prompt] ?? null) : null;
          const value = former ?? (random() < rate ? 1 : 0);
          before[prompt] = value;
          if (index === 0) hits[prompt] = (hits[prompt] ?? 0) + value / weeks.runsOfDay;
          if (index === 0) known.sum += value;
          const cell = { promptId: promptNames[prompt] ?? "", instrument: name, day: today };
          add(one.sums, cells[index], { ...cell, value: value / probability, of: 1 / probability });
        }
      }
      history[day] = hits;
      yield { day, panel: { series: series.map(({ one }) => one), platforms: [platform] }, history };
    }
  }
}

function factorOn({ change }: SimulatedWeeks, series: number, day: number): number {
  if (change === undefined || series >= change.series || day < change.from) return 1;
  return 1 + (change.factor - 1) * Math.min(1, (day - change.from + 1) / (change.over ?? 1));
}

/** What a run asks: each prompt once, or waves. What is known of a prompt's answers is told by whoever reads them. */
function* questions({ prompts, inWaves = false }: SimulatedWeeks, random: () => number) {
  const known = Array.from({ length: prompts }, () => ({ answers: 0, sum: 0 }));
  const waves = inWaves ? wavesMin + Math.floor((wavesMin + 1) * random()) : 1;
  for (let wave = 0; wave < waves; wave++) {
    const probabilities = inWaves ? probabilitiesOf(known) : known.map(() => 1);
    for (const [prompt, isAsked] of drawWave(probabilities, inWaves ? random() : 0).entries()) {
      const one = known[prompt];
      if (!isAsked || one === undefined) continue;
      one.answers++;
      yield { prompt, probability: probabilities[prompt] ?? 1, known: one };
    }
  }
}

function add(
  sums: CellDay[],
  known: Map<string, CellDay> | undefined,
  { value, of, ...cell }: Pick<CellDay, "promptId" | "instrument" | "day" | "value" | "of">,
): void {
  const key = `${cell.promptId} ${cell.instrument}`;
  let sum = known?.get(key);
  if (sum === undefined) {
    sum = { ...cell, weight: 1, value: 0, of: 0, answers: 0 };
    known?.set(key, sum);
    sums.push(sum);
  }
  sum.value += value;
  sum.of += of;
  sum.answers++;
}
