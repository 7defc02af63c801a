import type { CallOptions, EntityRecord, ObservationPage, PanelRecord } from "@querent/client";
import { nonEmptyPage } from "../../api/non-empty-page.ts";
import { shownProject } from "../../app/projects.ts";
import { querent } from "../../api/querent.ts";
import { readFilters } from "./answer-filters.tsx";

const pageSize = 50;

export interface ShownAnswers {
  readonly page: ObservationPage;
  readonly brands: ReadonlyMap<string, EntityRecord>;
  /** The selected panel; null if none is selected, or it was deleted. */
  readonly panel: PanelRecord | null;
}

/** A page of the answers that the address selects, newest first. */
export async function readAnswers(cursor: string | undefined, call: CallOptions): Promise<ShownAnswers> {
  const filters = readFilters();
  const [page, brands, panel] = await Promise.all([
    nonEmptyPage({
      cursor,
      ask: (from) => querent.observations.page({ ...filters, project: shownProject(), limit: pageSize, ...from }, call),
      rowsOf: ({ observations }) => observations,
    }),
    orNone(Array.fromAsync(querent.entities.list({}, call)), []),
    filters.panelId === undefined ? null : orNone(querent.panels.get(filters.panelId, call), null),
  ]);
  return { page, panel, brands: new Map(brands.map((brand) => [brand.entityId, brand])) };
}

/** Names are a help: without them the answers are shown all the same. */
const orNone = <Value, None>(read: Promise<Value>, none: None): Promise<Value | None> => read.catch(() => none);

export function promptOf(panel: PanelRecord | null, promptId: string | null | undefined): string {
  return panel?.prompts.find((prompt) => prompt.promptId === promptId)?.text ?? promptId ?? "";
}
