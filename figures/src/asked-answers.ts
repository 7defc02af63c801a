import type { CellPlaces } from "./cell-places.ts";
import type { Group } from "./group-answers.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { countLeftOut, type LeftOut, type Subject } from "./readings.ts";
import type { Measure, MeasureId } from "./measure-table.ts";

export interface AskedAnswers {
  /** The answers to prompts of the panel that do not name what is measured, in the order of its prompts. */
  readonly asked: ReadonlyMap<string, CellPlaces>;
  readonly brandedPrompts: number;
  readonly leftOut: Map<LeftOut, number>;
}

/** Splits the answers of a group into those that are asked for a measure, and the others. */
export function splitter(
  { prompts }: PanelDefinition,
  measure: Measure,
  subject: Subject,
): (group: Pick<Group, "byPrompt">) => AskedAnswers {
  const named = namesThatBrand(measure, subject);
  const isBranded = new Map(prompts.map(({ promptId, branded }) => [promptId, branded.some((id) => named.has(id))]));
  return ({ byPrompt }) => {
    const asked = new Map<string, CellPlaces>();
    const leftOut = new Map<LeftOut, number>();
    let brandedPrompts = 0;
    for (const [promptId, isNaming] of isBranded) {
      const cell = byPrompt.get(promptId);
      if (cell === undefined) continue;
      if (isNaming) {
        brandedPrompts++;
        countLeftOut(leftOut, "branded_prompt", cell.places.length);
      } else asked.set(promptId, cell);
    }
    for (const [promptId, { places }] of byPrompt)
      if (!isBranded.has(promptId)) countLeftOut(leftOut, "prompt_not_in_panel", places.length);
    return { asked, brandedPrompts, leftOut };
  };
}

const ofAllCompared: ReadonlySet<MeasureId> = new Set([
  "mention_share",
  "order_agreement_within_days",
  "order_agreement_between_days",
  "first_place_changes",
]);

function namesThatBrand({ id, per }: Measure, { entity, compared }: Subject): ReadonlySet<string> {
  if (ofAllCompared.has(id)) return compared;
  return new Set(per === "entity" && entity !== null ? [entity.entityId] : []);
}
