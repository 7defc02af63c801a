import type { Answer } from "./answer.ts";
import { missingToBound, runsMin } from "./estimate.ts";
import type { FailedTask } from "./failed-task.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { promptIdOf, wordingsOf } from "./panel-history.ts";
import type { SurfaceReproducibility } from "./split-half.ts";
import type { ReportSurface } from "./surfaces.ts";

/** What a report is good for, from the least to the most. */
export const gradeLevels = ["exploratory", "directional", "decision-grade"] as const;
export type GradeLevel = (typeof gradeLevels)[number];

/** From this share of failed tasks on, a report warns that its other figures may be biased. */
export const failuresToWarn = 0.05;

export type SealState = "before_first_run" | "after_first_run" | "never";

/** One condition of the grades. Null: the grade does not depend on it. */
export interface GradeRule {
  readonly id: string;
  readonly title: string;
  readonly unit: "count" | "share" | "yes_or_no";
  readonly directional: number | null;
  readonly decision: number | null;
  /** Whether there must be more than these numbers, instead of at least as many. */
  readonly exclusive?: true;
  /** What the number is, and what would raise it. */
  readonly counts: string;
  readonly remedy: string;
}

export interface JudgedRule extends GradeRule {
  /** What was counted; null if it could not be computed, which is as good as 0. */
  readonly value: number | null;
  /** The best grade that this rule allows. */
  readonly allows: GradeLevel;
}

export interface Grade {
  readonly grade: GradeLevel;
  /** All of them; the grade is the least that one of them allows. */
  readonly rules: readonly JudgedRule[];
}

export interface Graded {
  readonly panel: PanelDefinition;
  readonly answers: readonly Answer[];
  readonly failures: readonly FailedTask[];
  readonly surfaces: readonly ReportSurface[];
  readonly reproducibility: readonly SurfaceReproducibility[];
  /** The seals of the revisions that have answers. */
  readonly seals: readonly SealState[];
}

/** The table of the grades: what stands in the reference is made from it. */
export const gradeRules = [
  {
    id: "own_entity",
    title: "An own entity",
    unit: "count",
    directional: 1,
    decision: 1,
    counts: "Own brands of the panel.",
    remedy: "Add an own brand to the panel: without one, no figure is about you.",
  },
  {
    id: "prompts",
    title: "Prompts",
    unit: "count",
    directional: 50,
    decision: 50,
    counts: "Prompts of the panel with answers, without those whose text names an own entity.",
    remedy: "Add prompts that do not name your own brands.",
  },
  {
    id: "topics",
    title: "Topics",
    unit: "count",
    directional: 10,
    decision: 20,
    counts: "Topics of these prompts. Prompts without a topic are one topic.",
    remedy: "Add prompts on other topics, and give every prompt its topic.",
  },
  {
    id: "runs",
    title: "Runs",
    unit: "count",
    directional: 5,
    decision: 14,
    counts: "Runs of the surface that has the fewest, with the instrument that its figures are of.",
    remedy: "Wait for further runs, or choose a longer window.",
  },
  {
    id: "days",
    title: "Days",
    unit: "count",
    directional: 5,
    decision: 14,
    counts: "Days (UTC) with answers.",
    remedy: "Spread the runs over more days: answers of one day agree more than those of several.",
  },
  {
    id: "complete",
    title: "Complete cells",
    unit: "share",
    directional: 0.8,
    decision: 0.95,
    counts: `Of all prompts on all surfaces, those with answers of at least ${runsMin} runs with the instrument that the figures are of.`,
    remedy: "Look for failed tasks of the runs, and run the panel again.",
  },
  {
    id: "answered",
    title: "Answered",
    unit: "share",
    directional: 0.8,
    decision: 1 - missingToBound,
    exclusive: true,
    counts:
      "Of all tasks, those that have an answer with text, on the surface where they are the fewest. Tasks that failed count from when that was recorded. Answers may be missing because of what they would have said: the bounds beside the figures say how much that could change.",
    remedy: "Look for why tasks failed or were answered with nothing, and choose a window without those runs.",
  },
  {
    id: "reproducibility",
    title: "Split-half reproducibility",
    unit: "share",
    directional: 0.7,
    decision: 0.9,
    counts:
      "How well every second run reproduces the others: the correlation of the rates at which prompts name entities, after Spearman and Brown, on the surface where it is least.",
    remedy: "Ask each prompt more often: more runs, or more repeats in each run.",
  },
  {
    id: "sealed",
    title: "Sealed before the first run",
    unit: "yes_or_no",
    directional: null,
    decision: 1,
    counts: "Every revision of the panel that has answers was sealed before its first run.",
    remedy: "Seal a panel before it runs. For a panel that has run, edit it, and seal the new revision.",
  },
  {
    id: "one_instrument",
    title: "One instrument",
    unit: "yes_or_no",
    directional: null,
    decision: 1,
    counts:
      "All answers of a surface were taken with the same model version, recipe, reader, matcher and source rules, to the same prompts, and searched for the same brands.",
    remedy: "Choose a window after the last seam of the series.",
  },
] as const satisfies readonly GradeRule[];

export type RuleId = (typeof gradeRules)[number]["id"];

export function gradeReport(graded: Graded): Grade {
  const rules = gradeRules.map((rule: GradeRule & { readonly id: RuleId }): JudgedRule => {
    const value = values[rule.id](graded);
    return { ...rule, value, allows: allowedBy(rule, value ?? 0) };
  });
  const least = Math.min(...rules.map(({ allows }) => gradeLevels.indexOf(allows)));
  return { grade: gradeLevels[least] ?? "exploratory", rules };
}

function allowedBy({ directional, decision, exclusive }: GradeRule, value: number): GradeLevel {
  const isMet = (needed: number | null) =>
    needed === null || value > needed || (value === needed && exclusive !== true);
  if (!isMet(directional)) return "exploratory";
  return isMet(decision) ? "decision-grade" : "directional";
}

const values: Readonly<Record<RuleId, (graded: Graded) => number | null>> = {
  own_entity: ({ panel }) => ownOf(panel).size,
  prompts: (graded) => countedPrompts(graded).length,
  topics: (graded) => new Set(countedPrompts(graded).map(({ topic }) => topic ?? "")).size,
  runs: ({ surfaces }) => least(surfaces.map(({ headline }) => headline?.runs ?? 0)),
  days: ({ answers }) => new Set(answers.map(({ observedAt }) => observedAt.slice(0, 10))).size,
  complete: ({ surfaces }) => {
    const runs = surfaces.flatMap(({ runsOfPrompts }) => runsOfPrompts);
    return runs.length === 0 ? null : runs.filter((count) => count >= runsMin).length / runs.length;
  },
  answered: answeredShare,
  reproducibility: ({ reproducibility }) => least(reproducibility.map(({ value }) => value ?? 0)),
  sealed: ({ seals }) => Number(seals.length > 0 && seals.every((seal) => seal === "before_first_run")),
  one_instrument: ({ surfaces }) =>
    Number(surfaces.length > 0 && surfaces.every(({ instruments }) => instruments.length === 1)),
};

function answeredShare({ answers, failures }: Graded): number | null {
  const surfaces = new Map<string, { asked: number; answered: number }>();
  const add = (surface: readonly string[], isAnswered: boolean) => {
    const key = JSON.stringify(surface);
    const counts = surfaces.get(key) ?? { asked: 0, answered: 0 };
    surfaces.set(key, { asked: counts.asked + 1, answered: counts.answered + Number(isAnswered) });
  };
  for (const { platformCode, instrument, locale, persona, flags } of answers)
    add([platformCode, instrument.kind, locale, persona], !flags.includes("empty"));
  for (const { platformCode, kind, locale, persona } of failures) add([platformCode, kind, locale, persona], false);
  return least([...surfaces.values()].map(({ asked, answered }) => answered / asked));
}

const ownOf = ({ entities }: PanelDefinition) =>
  new Set(entities.filter(({ relation }) => relation === "own").map(({ entityId }) => entityId));

function countedPrompts({ panel, answers }: Graded) {
  const own = ownOf(panel);
  const { keyOf } = wordingsOf(panel);
  const answered = new Set(answers.map((answer) => promptIdOf(keyOf(answer))));
  return panel.prompts.filter(
    ({ promptId, branded }) => answered.has(promptId) && !branded.some((entityId) => own.has(entityId)),
  );
}

const least = (numbers: readonly number[]): number | null => (numbers.length === 0 ? null : Math.min(...numbers));
