import type { PanelSearches } from "@querent/contract";
import { searchRows, type PanelDefinition, type SearchChoice, type SearchingAnswer } from "@querent/figures";
import { jsonPieces, type Job } from "../../computing/job.ts";
import { compileEntities, type EntityDefinition } from "../../observations/entities/compile-entities.ts";
import { definitionsIn } from "../../observations/entities/entity-rows.ts";
import { findMentions } from "../../observations/entities/find-mentions.ts";
import { searchingAnswers } from "./answer-parts.ts";

interface SearchesInput {
  readonly panel: PanelDefinition;
  readonly choice: Omit<SearchChoice, "namedIn">;
  readonly window: PanelSearches["window"];
}

/** The searches behind the answers of a panel. Names are found by the rules for answers, now: a new alias counts at once. */
export const job: Job<SearchesInput> = {
  module: import.meta.url,
  async *run({ panel, choice, window }, read) {
    const definitions: EntityDefinition[] = [];
    for await (const page of read("entities")) definitions.push(...definitionsIn(page));
    yield;
    const compiled = compileEntities(definitions);
    const answers: SearchingAnswer[] = [];
    for await (const page of read("answers")) {
      for (const answer of searchingAnswers(page)) answers.push(answer);
      yield;
    }
    const namedIn = (query: string) => [
      ...new Set(findMentions(query, compiled).mentions.map(({ entityId }) => entityId)),
    ];
    const rows = searchRows(panel, answers, { ...choice, namedIn });
    yield* jsonPieces({
      panelId: panel.panelId,
      revision: panel.revision,
      window,
      kind: choice.kind,
      rows,
    } satisfies PanelSearches);
  },
};
