import type { Measure, MeasureId } from "@querent/contract";
import { measureTable } from "./measure-table.ts";

/** What is measured, in the order of the table. */
export const measureIds: readonly MeasureId[] = measureTable.map(({ id }) => id);

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
const ofAds: ReadonlySet<MeasureId> = new Set(["ad_rate", "ad_share", "own_ad_rate", "own_ad_share", "rival_ad_rate"]);
const ofProducts: ReadonlySet<MeasureId> = new Set(["product_rate", "product_position", "product_share", "shop_share"]);
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
  !readsAds(id) &&
  !readsProducts(id) &&
  (["domain", "source_type"].includes(measureOf(id).per) || ofSources.has(id) || ofEntitySources.has(id));

export const readsMentions = (id: MeasureId): boolean =>
  !readsAds(id) && ((measureOf(id).per === "entity" && !ofEntitySources.has(id)) || ofMentions.has(id));

/** Products are of the entities that are mentioned in them. */
export const readsProducts = (id: MeasureId): boolean => ofProducts.has(id);

export const readsAds = (id: MeasureId): boolean => ofAds.has(id);

/** Whether a measure is one of tasks, for which those that failed are needed, too. */
export function readsFailures(id: MeasureId): boolean {
  return id === "failure_rate" || id === "refusal_rate";
}
