import type { Answer } from "./answer.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { readings, subjectOf } from "./readings.ts";
import type { Surface } from "./state-figures.ts";
import { byRun, bySurface } from "./surfaces.ts";

/** At least so many rates are compared: a correlation of fewer says nothing. */
export const ratesMin = 10;

export interface SurfaceReproducibility extends Surface {
  /** From 0 to 1. Null: too few runs or rates. */
  readonly value: number | null;
  /** How many rates were compared. */
  readonly rates: number;
}

/**
 * How well one half of the runs reproduces the other: the correlation of the rates at which each prompt names each own entity and
 * competitor, in every second run and in the others, corrected to the length of the whole (Spearman and Brown). 1: the prompts
 * differ, and do so in both halves alike. 0: which prompts name whom is chance. Pauses after each surface.
 */
export function* splitHalf(
  panel: PanelDefinition,
  answers: readonly Answer[],
): Generator<void, SurfaceReproducibility[], void> {
  const all: SurfaceReproducibility[] = [];
  for (const { answers: ofSurface, ...surface } of bySurface(answers)) {
    yield;
    const halves: [Rates, Rates] = [new Map(), new Map()];
    for (const [index, run] of byRun(ofSurface).entries())
      addRates(panel, run.answers, halves[index % 2 === 0 ? 0 : 1]);
    const pairs = [...halves[0]].flatMap(([key, one]) => {
      const other = halves[1].get(key);
      return other === undefined ? [] : [[one.hits / one.answers, other.hits / other.answers] as const];
    });
    all.push({ ...surface, value: pairs.length < ratesMin ? null : reliability(pairs), rates: pairs.length });
  }
  return all;
}

type Rates = Map<string, { hits: number; answers: number }>;

function addRates(panel: PanelDefinition, answers: readonly Answer[], rates: Rates): void {
  const prompts = new Map(panel.prompts.map((prompt) => [prompt.promptId, prompt]));
  for (const { entityId, relation } of panel.entities) {
    if (relation === "other") continue;
    const subject = subjectOf(panel, { entityId });
    for (const answer of answers) {
      const prompt = prompts.get(answer.promptId);
      if (prompt === undefined || prompt.branded.includes(entityId)) continue;
      const reading = readings.presence(answer, subject);
      if (typeof reading === "string" || "missing" in reading) continue;
      const key = JSON.stringify([entityId, answer.promptId]);
      const rate = rates.get(key) ?? { hits: 0, answers: 0 };
      rate.hits += reading.value;
      rate.answers++;
      rates.set(key, rate);
    }
  }
}

function reliability(pairs: readonly (readonly [number, number])[]): number {
  // Where nothing differs, there is no correlation; but the halves agree.
  if (pairs.every(([one, other]) => one === other)) return 1;
  const mean = (index: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[index], 0) / pairs.length;
  const [meanOne, meanOther] = [mean(0), mean(1)];
  let [both, ofOne, ofOther] = [0, 0, 0];
  for (const [one, other] of pairs) {
    both += (one - meanOne) * (other - meanOther);
    ofOne += (one - meanOne) ** 2;
    ofOther += (other - meanOther) ** 2;
  }
  const correlation = ofOne === 0 || ofOther === 0 ? 0 : Math.max(0, both / Math.sqrt(ofOne * ofOther));
  return (2 * correlation) / (1 + correlation);
}
