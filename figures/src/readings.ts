/** What one answer says about a measure: a value, or why it is left out. */
import type { Answer } from "./answer.ts";
import type { MeasureId } from "./measures.ts";
import type { PanelDefinition, PanelEntity } from "./panel-definition.ts";

/** Why answers are left out of a figure. */
export type LeftOut =
  | "branded_prompt"
  | "prompt_not_in_panel"
  | "no_text"
  | "not_searched"
  | "not_named"
  | "not_listed";

/** `of`: see `CellAnswer`. */
export type Reading = { readonly value: number; readonly of?: number } | LeftOut;

/** What a figure is about. */
export interface Subject {
  readonly entity: PanelEntity | null;
  /** The own entities and competitors: those among which shares and places are counted. */
  readonly compared: ReadonlySet<string>;
  /** When the last of them was created. */
  readonly comparedSince: string;
}

export function subjectOf(panel: PanelDefinition, entityId: string | undefined): Subject {
  const entity = panel.entities.find((one) => one.entityId === entityId) ?? null;
  const compared = panel.entities.filter((one) => one.relation !== "other" || one === entity);
  return {
    entity,
    compared: new Set(compared.map((one) => one.entityId)),
    comparedSince: compared.reduce((last, { createdAt }) => (createdAt > last ? createdAt : last), ""),
  };
}

type Read = (answer: Answer, subject: Subject) => Reading;

export const readings: Readonly<Record<MeasureId, Read>> = {
  presence: ofEntity((answer, { entityId }) => ({ value: Number(isNamed(answer, entityId)) })),
  mention_share: (answer, { entity, compared, comparedSince }) => {
    const missing = whyNotSearched(answer, comparedSince);
    if (missing !== null) return missing;
    let [value, of] = [0, 0];
    for (const { entityId, count } of answer.mentions) {
      if (compared.has(entityId)) of += count;
      if (entityId === entity?.entityId) value += count;
    }
    return { value, of };
  },
  first_place: ofEntity((answer, { entityId }, { compared }) => {
    if (!isNamed(answer, entityId)) return "not_named";
    return { value: Number(answer.mentions.find((one) => compared.has(one.entityId))?.entityId === entityId) };
  }),
  position: ofEntity((answer, entity) => {
    const position = answer.mentions.find(({ entityId }) => entityId === entity.entityId)?.listPosition ?? null;
    return position === null ? "not_listed" : { value: position };
  }),
};

/** A reading of answers that were searched for the entity. */
function ofEntity(read: (answer: Answer, entity: PanelEntity, subject: Subject) => Reading): Read {
  return (answer, subject) => {
    const { entity } = subject;
    if (entity === null) return "not_searched";
    return whyNotSearched(answer, entity.createdAt) ?? read(answer, entity, subject);
  };
}

function whyNotSearched({ flags, instrument, recordedAt }: Answer, since: string): LeftOut | null {
  if (flags.includes("empty")) return "no_text";
  return instrument.matcher === null || recordedAt < since ? "not_searched" : null;
}

const isNamed = ({ mentions }: Answer, entity: string) => mentions.some(({ entityId }) => entityId === entity);
