/** Panels over weeks whose answers cite sites at known rates, in which changes are looked for after each day. */
import { judgeChanges, startSeries, type Answer, type ChangeSeries, type FormerChange } from "../src/index.ts";
import { answer, brand, panelOf } from "./answers.ts";
import { dayName } from "./simulated-changes.ts";
import { randomFrom } from "./simulated-panels.ts";

export interface SimulatedSites {
  readonly days: number;
  readonly prompts: number;
  readonly answersOfPrompt: number;
  /** The mean rates of the sites. Prompts differ around them with a standard deviation of 1 on the logit scale. */
  readonly rates: readonly number[];
  /** The standard deviation of what moves a site for a day, on the logit scale. */
  readonly ofDays: number;
  /** From a day on, no answer cites the first site, or only from then on. */
  readonly change?: { readonly day: number; readonly to: "gone" | "new" };
}

/** 60 sites: one is cited by half of the answers, the others ever more rarely, down to one of a thousand. */
const rates = Array.from({ length: 60 }, (_, index) => 0.5 * (0.002 / 1) ** (index / 59));
const base: SimulatedSites = { days: 28, prompts: 50, answersOfPrompt: 1, rates, ofDays: 0 };

export const unchangedSites: Readonly<Record<string, SimulatedSites>> = {
  "sites, a run a day": base,
  "sites, each day moves each of them": { ...base, ofDays: 0.3 },
  "sites, all cited by 2 to 3 % of the answers": { ...base, rates: rates.map(() => 0.025) },
  "sites, ten prompts, three answers each": { ...base, prompts: 10, answersOfPrompt: 3 },
};
export const goneSite: SimulatedSites = { ...base, change: { day: 18, to: "gone" } };
export const newSite: SimulatedSites = { ...base, change: { day: 18, to: "new" } };

const [acme, globex] = ["11111111-1111-7111-8111-111111111111", "22222222-2222-7222-8222-222222222222"];
const nameOf = (site: number) => `site${site}.example`;
const keyOf = ({ measure, entityId, domain }: ChangeSeries) => `${measure} ${entityId ?? domain}`;

/** What was ever found, with the day of the look and the direction. */
export function watchSites(weeks: SimulatedSites, random: () => number): Map<string, { day: number; up: boolean }> {
  const prompts = Array.from({ length: weeks.prompts }, (_, index) => `p${index}`);
  const panel = panelOf({ prompts, entities: [brand(acme, "own"), brand(globex, "competitor")] });
  const { add, finish } = startSeries(panel);
  const found = new Map<string, { day: number; up: boolean }>();
  const formers = new Map<string, FormerChange>();
  const draw = drawer(weeks, random);
  for (let day = 0; day < weeks.days; day++) {
    for (const each of draw(day, prompts)) add(each);
    for (const verdict of judgeChanges(finish(), (series) => formers.get(keyOf(series)) ?? null)) {
      if (verdict.verdict !== "changed") continue;
      const key = keyOf(verdict.series);
      if (!found.has(key)) found.set(key, { day, up: verdict.change.direction === "up" });
      formers.set(key, { day: dayName(day), direction: verdict.change.direction });
    }
  }
  return found;
}

function drawer(weeks: SimulatedSites, random: () => number) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const logits = weeks.rates.map((rate) =>
    Array.from({ length: weeks.prompts }, () => Math.log(rate / (1 - rate)) + normal()),
  );
  return function* (day: number, prompts: readonly string[]): Generator<Answer> {
    const ofDay = weeks.rates.map(() => weeks.ofDays * normal());
    const { change } = weeks;
    const isFirstGone = change !== undefined && (change.to === "gone") === day >= change.day;
    for (const [prompt, promptId] of prompts.entries())
      for (let repeat = 1; repeat <= weeks.answersOfPrompt; repeat++) {
        const sources = logits.flatMap((ofSite, site) => {
          const rate = site === 0 && isFirstGone ? 0 : 1 / (1 + Math.exp(-(ofSite[prompt] ?? 0) - (ofDay[site] ?? 0)));
          return random() < rate ? [{ host: nameOf(site), domain: nameOf(site), type: null }] : [];
        });
        const mentions = [...(random() < 0.5 ? [acme] : []), ...(random() < 0.3 ? [globex] : [])];
        yield answer({
          promptId,
          repeat,
          sources,
          mentions,
          matcher: "3",
          observedAt: `${dayName(day)}T06:00:00.000Z`,
          runId: `r${day}`,
        });
      }
  };
}

/** The share of panels in which anything was ever found: of an unchanged panel, of the first site, and of anything else. */
export function studySites(weeks: SimulatedSites, panels: number, seed = 7) {
  const random = randomFrom(seed);
  const from = weeks.change?.day ?? 0;
  let [others, wrong] = [0, 0];
  const days: number[] = [];
  for (let panel = 0; panel < panels; panel++) {
    const found = watchSites(weeks, random);
    const first = found.get(`citation_rate ${nameOf(0)}`);
    const isFound = weeks.change !== undefined && first !== undefined && first.day >= from;
    if (isFound) {
      days.push(first.day - from + 1);
      if (first.up !== (weeks.change.to === "new")) wrong++;
    }
    if (found.size > Number(isFound)) others++;
  }
  days.sort((a, b) => a - b);
  return {
    alarms: others / panels,
    found: days.length / panels,
    wrong: wrong / panels,
    medianDays: days[Math.floor(days.length / 2)] ?? null,
  };
}
