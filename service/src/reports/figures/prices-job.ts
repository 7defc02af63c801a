import type { PanelPrices } from "@querent/contract";
import { priceSeries, type PanelDefinition, type PriceChoice, type ShownOffer } from "@querent/figures";
import { jsonPieces, type Job } from "../../computing/job.ts";
import { shownOffers } from "./answer-parts.ts";

export interface PricesInput {
  readonly panel: Pick<PanelDefinition, "panelId" | "revision">;
  /** The entities of the panel's project, if answers may mention others. */
  readonly entities: ReadonlySet<string> | null;
  readonly choice: PriceChoice;
  readonly window: PanelPrices["window"];
}

/** The prices of the products that the answers of a panel show. */
export const job: Job<PricesInput> = {
  module: import.meta.url,
  async *run({ panel: { panelId, revision }, entities, choice, window }, read) {
    const all: ShownOffer[] = [];
    let answers = 0;
    for await (const page of read("answers")) {
      const { offers, count } = shownOffers(page, answers);
      for (const offer of offers)
        all.push(entities === null ? offer : { ...offer, entityIds: offer.entityIds.filter((id) => entities.has(id)) });
      answers += count;
      yield;
    }
    yield* jsonPieces({ panelId, revision, window, ...priceSeries(all, choice) } satisfies PanelPrices);
  },
};
