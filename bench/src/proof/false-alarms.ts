/**
 * Prints the tables of docs/explain/numbers.md: how often intervals cover what they are about, and how often changes are announced
 * that are none, with what is often done instead beside them. Simulated panels whose truth is known; the seeds are fixed.
 *
 *   node bench/src/proof/false-alarms.ts [PANELS]
 *
 * With 1,000 panels, the default, it takes about a quarter of an hour.
 */
import { estimate, normalQuantile, type Cell } from "@querent/figures";
import {
  falls,
  falseDiscoveryRate,
  rises,
  study,
  studyNaive,
  studyRise,
  unchanged,
} from "../../../figures/test/change-studies.ts";
import { studyEdited } from "../../../figures/test/reworded-panels.ts";
import { goneSite, newSite, studySites, unchangedSites } from "../../../figures/test/simulated-sites.ts";
import { meanRate, randomFrom, simulatePanel, type Truth } from "../../../figures/test/simulated-panels.ts";

const panels = Number(process.argv[2] ?? 1000);
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const print = (...cells: (string | number)[]) => console.log(`| ${cells.join(" | ")} |`);
function head(...cells: string[]): void {
  console.log();
  print(...cells);
  print(...cells.map(() => "---"));
}

/** 50 prompts in 25 topics, asked in seven runs. */
const truth: Truth = {
  topics: 25,
  promptsOfTopic: 2,
  runs: 7,
  answersOfRun: 1,
  logit: 0,
  ofTopics: 1.5,
  ofPrompts: 1.5,
  ofRuns: 0,
  ofGroups: 0,
};

/** Wilson's interval, as if all answers were independent. */
function pooledWilson(cells: readonly Cell[]): { low: number; high: number } {
  const answers = cells.flatMap((cell) => cell.answers);
  const rate = answers.reduce((sum, { value }) => sum + value, 0) / answers.length;
  const z = normalQuantile(0.975);
  const shrink = 1 / (1 + z ** 2 / answers.length);
  const center = shrink * (rate + z ** 2 / (2 * answers.length));
  const half = shrink * z * Math.sqrt((rate * (1 - rate)) / answers.length + (z / (2 * answers.length)) ** 2);
  return { low: center - half, high: center + half };
}

function coverage(): { ours: [number, number]; pooled: [number, number] } {
  const random = randomFrom(20_260_101);
  const ofAll = meanRate(truth.logit, Math.hypot(truth.ofTopics, truth.ofPrompts));
  const counts = { ours: [0, 0] as [number, number], pooled: [0, 0] as [number, number] };
  const covers = (interval: { low: number; high: number } | null, rate: number) =>
    interval !== null && interval.low <= rate && rate <= interval.high ? 1 / panels : 0;
  for (let panel = 0; panel < panels; panel++) {
    const { cells, rate } = simulatePanel(truth, random);
    const pooled = pooledWilson(cells);
    counts.ours[0] += covers(estimate(cells, "rate", "these_prompts").interval, rate);
    counts.ours[1] += covers(estimate(cells, "rate", "prompts_like_these").interval, ofAll);
    counts.pooled[0] += covers(pooled, rate);
    counts.pooled[1] += covers(pooled, ofAll);
  }
  return counts;
}

const { ours, pooled } = coverage();
head("Intervals of 95 %", "cover, of these prompts", "cover, of prompts like these");
print("Ours, one for each scope", ...ours.map(percent));
print("Wilson's, over pooled answers", ...pooled.map(percent));

const naive = studyNaive(panels);
head("A test of each day's look, nothing changes for 28 days", "panels with an alarm");
print("Five points from one day to the next", percent(naive.fivePoints));
print("z test of pooled answers, week against week", percent(naive.pooledZ));
print("Paired t test of prompts, week against week", percent(naive.pairedT));
const hourly = "24 runs a day";
for (const [name, weeks] of Object.entries(unchanged).toSorted(
  ([a], [b]) => Number(a === hourly) - Number(b === hourly),
))
  print(`Ours: ${name}`, percent(study(weeks, panels).alarms));
for (const [name, weeks] of Object.entries(unchangedSites))
  print(`Ours: ${name}`, percent(studySites(weeks, panels).alarms));

const reworded = { panels: Math.min(200, panels), days: 28, prompts: 50, reworded: 12, on: 14, easier: 2 };
print("Ours: 12 of 50 prompts are reworded, and name the brand more often", percent(studyEdited(reworded).alarms));
print("The same with prompts known by their ids alone", percent(studyEdited({ ...reworded, byIdAlone: true }).alarms));

head("A rate falls by 30 % on day 15, 50 prompts", "found within 14 days", "median, days");
for (const [name, weeks] of Object.entries(falls)) {
  const { alarms, medianDays } = study(weeks, panels);
  print(name, percent(alarms), medianDays ?? "-");
}

for (const [name, weeks] of Object.entries({ goes: goneSite, comes: newSite })) {
  const { found, medianDays } = studySites(weeks, panels);
  print(
    `A site that half of the answers cite ${name} on day 19, one of 60, found within ten days`,
    percent(found),
    medianDays ?? "-",
  );
}

head(
  "A rate of 25 % comes to 60 %",
  "found",
  "changes in a panel",
  "its first day is among those told",
  "days told",
  "sudden",
  "gradual",
);
for (const [name, weeks] of Object.entries(rises)) {
  const { found, changes, dated, days, sudden, gradual } = studyRise(weeks, Math.ceil(panels / 5));
  print(name, percent(found), changes.toFixed(2), percent(dated), days.toFixed(1), percent(sudden), percent(gradual));
}

const { rate, found } = falseDiscoveryRate(Math.ceil(panels / 50));
head("500 series, 50 of which fall by half", "false ones among those found", "falls found");
print("Ours, a run a day", percent(rate), percent(found));
