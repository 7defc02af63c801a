export const measureIds = ["presence", "mention_share", "first_place", "position"] as const;
export type MeasureId = (typeof measureIds)[number];

/** What is measured, in words: the table from which the reference is made. */
export interface Measure {
  readonly id: MeasureId;
  /** Changes with the meaning: figures with different definitions are not comparable. */
  readonly definition: string;
  readonly kind: "rate" | "mean";
  /** What a figure is about, besides the answers: an entity, a domain or a type of sources. */
  readonly per: "entity" | "domain" | "source_type" | "answer";
  readonly unit: "share" | "position" | "answers" | "searches" | "characters" | "milliseconds" | "points";
  readonly title: string;
  readonly counts: string;
  readonly leavesOut: string;
  readonly formula: string;
  readonly floor: string;
}

const floor =
  "These prompts: answers of 5 runs. Prompts like these: also 20 topics. Below it there is a value, and no interval.";
const named =
  "Prompts whose text names the entity; answers without text; answers that were not searched for entities, or before the entity was created.";

export const measures: readonly Measure[] = [
  {
    id: "presence",
    definition: "presence/1",
    kind: "rate",
    per: "entity",
    unit: "share",
    title: "Presence",
    counts: "Answers that name the entity at least once.",
    leavesOut: named,
    formula: "answers that name it / answers. The mean of the cells' rates, by the weights of their prompts.",
    floor,
  },
  {
    id: "mention_share",
    definition: "mention_share/1",
    kind: "rate",
    per: "entity",
    unit: "share",
    title: "Mention share (share of voice)",
    counts: "Mentions of the entity among the mentions of all own entities and competitors.",
    leavesOut:
      "Prompts whose text names any of these entities; answers without text; answers that were not searched for all of these entities. Entities that are neither own nor competitors.",
    formula:
      "mentions of it / mentions of own entities and competitors: the cells' mean numbers are added up above and below the line, by the weights of their prompts. An answer that names none adds nothing to either.",
    floor,
  },
  {
    id: "first_place",
    definition: "first_place/1",
    kind: "rate",
    per: "entity",
    unit: "share",
    title: "First place, given that it is named",
    counts: "Answers that name the entity before every other own entity and competitor.",
    leavesOut: `Answers that do not name it: not named is missing, not last. ${named}`,
    formula: "answers that name it first / answers that name it, in each cell and then over the cells.",
    floor,
  },
  {
    id: "position",
    definition: "position/1",
    kind: "mean",
    per: "entity",
    unit: "position",
    title: "Position, given that it is listed",
    counts: "The place of the entity in the first list of the answer whose items include it; 1 is the top.",
    leavesOut: `Answers that do not list it: not listed is missing, not last. ${named}`,
    formula: "the mean of the positions of answers that list it, in each cell and then over the cells.",
    floor,
  },
];

const byId = new Map(measures.map((measure) => [measure.id, measure]));

export function measureOf(id: MeasureId): Measure {
  const measure = byId.get(id);
  if (measure === undefined) throw new RangeError(`There is no measure ${id}.`);
  return measure;
}
