import { measureTable } from "./measure-table.ts";

export const measureIds = [
  "presence",
  "mention_share",
  "first_place",
  "first_place_of_all",
  "position",
  "listed",
  "own_citation_rate",
  "own_citation_share",
  "citation_rate",
  "citation_share",
  "type_citation_rate",
  "type_citation_share",
  "cited_answers",
  "carded_answers",
  "core_citation_share",
  "source_agreement_within_days",
  "source_agreement_between_days",
  "order_agreement_within_days",
  "order_agreement_between_days",
  "first_place_changes",
  "first_place_changes_between_runs",
  "platform_source_agreement",
  "search_count",
  "answer_length",
  "empty_rate",
  "time_to_answer",
  "price_per_answer",
  "failure_rate",
  "refusal_rate",
] as const;
export type MeasureId = (typeof measureIds)[number];

/** What is measured, in words: the table from which the reference is made. */
export interface Measure {
  readonly id: MeasureId;
  /** Changes with the meaning: figures with different definitions are not comparable. */
  readonly definition: string;
  readonly kind: "rate" | "mean";
  /** What a figure is about, besides the answers: an entity, a domain or a type of sources. */
  readonly per: "entity" | "domain" | "source_type" | "answer";
  readonly unit: "share" | "position" | "searches" | "characters" | "milliseconds" | "points";
  /** What the interval takes for independent of each other; null: it has no interval. */
  readonly sample: "runs" | "days" | "pairs_of_days" | "pairs_of_runs" | null;
  readonly title: string;
  readonly counts: string;
  readonly leavesOut: string;
  readonly formula: string;
  /** What is needed at least for an interval. */
  readonly floor: string;
}

const floors = {
  runs: "Answers of 5 runs; for prompts like these, 20 topics instead",
  days: "5 days on which a prompt has two answers; for prompts like these, 20 topics instead",
  pairs_of_runs: "5 pairs of neighbouring runs, which are 10 runs; for prompts like these, 20 topics instead",
  pairs_of_days: "5 pairs of neighbouring days, which are 10 days; for prompts like these, 20 topics instead",
} as const;

function floorOf({ id, sample }: Omit<Measure, "floor">): string {
  if (sample === null) return "It has no interval";
  return readsFailures(id) ? floors.runs.replace("Answers", "Tasks") : floors[sample];
}

export const measures: readonly Measure[] = measureTable.map((measure) => ({
  ...measure,
  floor: floorOf(measure),
}));

const byId = new Map(measures.map((measure) => [measure.id, measure]));

export function measureOf(id: MeasureId): Measure {
  const measure = byId.get(id);
  if (measure === undefined) throw new RangeError(`There is no measure ${id}.`);
  return measure;
}

const ofEntitySources: ReadonlySet<MeasureId> = new Set(["own_citation_rate", "own_citation_share"]);
const ofMentions: ReadonlySet<MeasureId> = new Set([
  "order_agreement_within_days",
  "order_agreement_between_days",
  "first_place_changes",
  "first_place_changes_between_runs",
]);
const ofSources: ReadonlySet<MeasureId> = new Set([
  "cited_answers",
  "core_citation_share",
  "source_agreement_within_days",
  "source_agreement_between_days",
  "platform_source_agreement",
]);

/** Whether a measure reads the sources of answers: without them, they are read in half of the time. */
export const readsSources = (id: MeasureId): boolean =>
  ["domain", "source_type"].includes(measureOf(id).per) || ofSources.has(id) || ofEntitySources.has(id);

export const readsMentions = (id: MeasureId): boolean =>
  (measureOf(id).per === "entity" && !ofEntitySources.has(id)) || ofMentions.has(id);

/** Whether a measure is one of tasks, for which those that failed are needed, too. */
export function readsFailures(id: MeasureId): boolean {
  return id === "failure_rate" || id === "refusal_rate";
}
