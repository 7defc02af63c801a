import { byRun, bySurface, type AnswerIndex } from "./answer-index.ts";
import { ofHeadline } from "./headline.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { wordingsOf } from "./panel-history.ts";
import { readings, subjectOf, type Subject } from "./readings.ts";
import type { Surface } from "./state-figures.ts";

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
 * differ, and do so in both halves alike. 0: which prompts name whom is chance. Of the answers that the headline of each
 * surface is of. Pauses after each surface.
 */
export function* splitHalf(
  panel: PanelDefinition,
  index: AnswerIndex,
): Generator<void, SurfaceReproducibility[], void> {
  const all: SurfaceReproducibility[] = [];
  const subjects = comparedIn(panel, index);
  for (const { surface, places } of bySurface(index)) {
    yield;
    const halves: [Rates, Rates] = [new Map(), new Map()];
    for (const [number, run] of byRun(index, ofHeadline(index, places)).entries())
      addRates(subjects, index, run.places, halves[number % 2 === 0 ? 0 : 1]);
    const pairs = [...halves[0]].flatMap(([key, one]) => {
      const other = halves[1].get(key);
      return other === undefined ? [] : [[one.hits / one.answers, other.hits / other.answers] as const];
    });
    all.push({ ...surface, value: pairs.length < ratesMin ? null : reliability(pairs), rates: pairs.length });
  }
  return all;
}

/** By the number of the prompt and of the entity. */
type Rates = Map<number, { hits: number; answers: number }>;

interface ComparedEntity {
  readonly subject: Subject;
  /** By the number of the prompt: whether it is one of the panel that does not name the entity. */
  readonly isAsked: readonly boolean[];
}

function comparedIn(panel: PanelDefinition, { prompts }: AnswerIndex): ComparedEntity[] {
  const wordings = wordingsOf(panel);
  return panel.entities
    .filter(({ relation }) => relation !== "other")
    .map(({ entityId }) => ({
      subject: subjectOf(panel, { entityId }),
      isAsked: prompts.values.map((key) => wordings.get(key)?.branded.includes(entityId) === false),
    }));
}

function addRates(
  compared: readonly ComparedEntity[],
  { answers, prompts }: AnswerIndex,
  places: readonly number[],
  rates: Rates,
): void {
  for (const [entity, { subject, isAsked }] of compared.entries()) {
    for (const place of places) {
      const answer = answers[place];
      const prompt = prompts.of[place] ?? 0;
      if (answer === undefined || isAsked[prompt] !== true) continue;
      const reading = readings.presence(answer, subject);
      if (typeof reading === "string" || "missing" in reading) continue;
      const key = entity * prompts.values.length + prompt;
      let rate = rates.get(key);
      if (rate === undefined) {
        rate = { hits: 0, answers: 0 };
        rates.set(key, rate);
      }
      rate.hits += reading.value;
      rate.answers++;
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
