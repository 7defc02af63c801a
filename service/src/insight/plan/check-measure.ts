import { measureOf, type FigureRequest, type PanelDefinition } from "@querent/figures";
import { ProblemError } from "../../api/problem-error.ts";

export const invalid = (pointer: string, detail: string) =>
  new ProblemError("validation_failed", "This cannot be computed.", {
    errors: [{ pointer, code: "not_allowed", detail }],
  });

/**
 * Rejects a measure without the entity, domain or type of sites that it needs, and an invalid surface. @param at where the
 * members are: `?` in a query, `/` in a body
 */
export function checkMeasure(
  { locales, personas, entities }: PanelDefinition,
  request: Omit<FigureRequest, "by" | "platformCode">,
  at: "?" | "/",
): void {
  const { per } = measureOf(request.measure);
  if (per === "entity" && !entities.some(({ entityId }) => entityId === request.entityId))
    throw invalid(`${at}entityId`, "The measure is about an entity: name one of the account.");
  if (per === "domain" && request.domain === undefined) throw invalid(`${at}domain`, "The measure is about a domain.");
  if (per === "source_type" && request.sourceType === undefined)
    throw invalid(`${at}sourceType`, "The measure is about a type of sites.");
  if (request.measure === "platform_source_agreement")
    throw invalid(`${at}measure`, "It compares platforms, so it is not a figure of one of them.");
  if (request.locale === undefined && locales.length > 1)
    throw invalid(`${at}locale`, "The panel has several: choose one.");
  if (request.persona === undefined && personas.length > 1)
    throw invalid(`${at}persona`, "The panel has several: choose one.");
}
