/** Arguments that several tools of assistants share. */
import { Type } from "typebox";
import { UtcTimestamp, Uuid } from "./scalars.ts";

const panelId = { ...Uuid, description: "From the tool panels." };
const from = (start: string) => Type.Optional({ ...UtcTimestamp, description: `ISO 8601 in UTC. Default: ${start}.` });
const to = Type.Optional({ ...UtcTimestamp, description: "The first moment after the period. Default: now." });

export const ofPanel = {
  panelId,
  from: from("28 days before the end, or the last seven runs if they began earlier"),
  to,
};
export const ofObservations = { panelId: Type.Optional(panelId), from: from("28 days before the end"), to };
/** The names of the arguments `from` and `to`. */
export const windowNames = { observedFrom: "from", observedBefore: "to" };

/** Fewer elements than a program gets, because a model's context is limited. */
export const toolLimit = (maximum: number) => Type.Optional(Type.Integer({ minimum: 1, maximum, default: 20 }));
