import type { PanelQuote } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { capRefusalOf, readBalance } from "../../points/index.ts";
import { pointsRequestOf, type ItemRules } from "../../tasks/index.ts";
import { nextSlots } from "../schedule/slots.ts";
import type { ReadPanel } from "./read-panel.ts";
import { pricePanel } from "./price-panel.ts";

const slotsShown = 60;

/** What a run of the panel would be and cost now. `panelId`: null for one that is not stored. */
export async function quotePanel(
  db: Queryable,
  accountId: string,
  { panelId, panel: { content, schedule } }: { panelId: string | null; panel: Omit<ReadPanel, "name"> },
  rules: ItemRules,
): Promise<PanelQuote> {
  const { cellCount, items, errors } = await pricePanel(content, rules, "quote");
  const request = pointsRequestOf(
    accountId,
    panelId,
    items.map(({ item }) => item),
  );
  const [{ availablePoints }, refusal] = await Promise.all([readBalance(db, accountId), capRefusalOf(db, request)]);
  return {
    valid: errors.length === 0,
    cellCount,
    taskCount: cellCount * content.repeats,
    estimatedPoints: request.points,
    availablePoints,
    affordable: request.points <= availablePoints,
    capExceeded: refusal?.message ?? null,
    errors: [...errors],
    nextSlots:
      schedule === null || schedule.paused
        ? []
        : nextSlots(schedule, rules.now, slotsShown).map((slot) => slot.toISOString()),
  };
}

/** The quote of a panel that is not valid. */
export async function quoteInvalid(
  db: Queryable,
  accountId: string,
  errors: PanelQuote["errors"],
): Promise<PanelQuote> {
  const { availablePoints } = await readBalance(db, accountId);
  return {
    valid: false,
    cellCount: 0,
    taskCount: 0,
    estimatedPoints: 0,
    availablePoints,
    affordable: true,
    capExceeded: null,
    errors,
    nextSlots: [],
  };
}
