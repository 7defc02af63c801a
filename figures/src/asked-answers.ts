import type { CellPlaces } from "./cell-places.ts";
import type { Group } from "./group-answers.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { wordingsOf } from "./panel-history.ts";
import { countLeftOut, type LeftOut, type Subject } from "./readings.ts";
import type { Measure, MeasureId } from "@querent/contract";

export interface AskedAnswers {
  /** The answers to prompts of the panel that do not name what is measured, or for measures of such prompts, that do, by the keys of their cells and in the order of its prompts. */
  readonly asked: ReadonlyMap<string, CellPlaces>;
  readonly brandedPrompts: number;
  readonly leftOut: Map<LeftOut, number>;
}

/** Splits the answers of a group into those that are asked for a measure, and the others. */
export function splitter(
  panel: PanelDefinition,
  measure: Measure,
  subject: Subject,
): (group: Pick<Group, "byPrompt">) => AskedAnswers {
  const named = namesThatBrand(measure, subject);
  const isOfBranded = measure.id === "rival_ad_rate";
  const prompts = wordingsOf(panel);
  const known = new Set(prompts.keys);
  return ({ byPrompt }) => {
    const asked = new Map<string, CellPlaces>();
    const leftOut = new Map<LeftOut, number>();
    let brandedPrompts = 0;
    const unknown = [...byPrompt.keys()].filter((key) => !known.has(key));
    for (const key of [...prompts.keys, ...unknown]) {
      const cell = byPrompt.get(key);
      if (cell === undefined) continue;
      const prompt = prompts.get(key);
      if (prompt === undefined) countLeftOut(leftOut, "prompt_not_in_panel", cell.places.length);
      else if (isOfBranded) {
        if (prompt.branded.some((id) => named.has(id))) asked.set(key, cell);
        else countLeftOut(leftOut, "unbranded_prompt", cell.places.length);
      } else if (prompt.branded.some((id) => named.has(id))) {
        brandedPrompts++;
        countLeftOut(leftOut, "branded_prompt", cell.places.length);
      } else asked.set(key, cell);
    }
    return { asked, brandedPrompts, leftOut };
  };
}

const ofAllCompared: ReadonlySet<MeasureId> = new Set([
  "mention_share",
  "order_agreement_within_days",
  "order_agreement_between_days",
  "first_place_changes",
  "first_place_changes_between_runs",
]);

function namesThatBrand({ id, per }: Measure, { entity, compared }: Subject): ReadonlySet<string> {
  if (ofAllCompared.has(id)) return compared;
  return new Set(per === "entity" && entity !== null ? [entity.entityId] : []);
}
