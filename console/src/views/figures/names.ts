import type { EntityRecord, FoundChange } from "@querent/client";
import { figuresMessages } from "../../i18n/figures.ts";

export const brandName = (entityId: string | null | undefined, brands: readonly EntityRecord[]): string =>
  brands.find((brand) => brand.entityId === entityId)?.name ?? figuresMessages.value.found.goneBrand;

/** The name of a measure as the table of brands has it. */
export function measureName(measure: FoundChange["measure"]): string {
  const { columns, found } = figuresMessages.value;
  if (measure === "own_citation_rate") return found.ownPages;
  if (measure === "citation_rate") return found.siteCited;
  return Object.entries(columns).find(([id]) => id === measure)?.[1] ?? measure;
}
