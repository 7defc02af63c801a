import type { PanelQuote } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { capRefusalOf, readBalance } from "../../points/index.ts";
import { pointsRequestOf, type ItemRules } from "../../tasks/index.ts";
import { nextSlots } from "../schedule/slots.ts";
import type { ReadPanel } from "./read-panel.ts";
import { leastPoints } from "../schedule/waves.ts";
import { pricePanel } from "./price-panel.ts";

const slotsShown = 60;

/** What a run of the panel would be and cost now. `panelId`: null for one that is not stored. */
export async function quotePanel(
  db: Queryable,
  accountId: string,
  { panelId, panel: { content, schedule } }: { panelId: string | null; panel: Omit<ReadPanel, "name"> },
  rules: ItemRules,
): Promise<PanelQuote> {
  const { cellCount, items, errors, waves } = await pricePanel(content, rules, "quote");
  const request = pointsRequestOf(
    accountId,
    panelId,
    items.map(({ item }) => item),
  );
  const [{ availablePoints }, refusal] = await Promise.all([readBalance(db, accountId), capRefusalOf(db, request)]);
  return {
    valid: errors.length === 0,
    cellCount,
    taskCount: waves?.tasksMax ?? cellCount * content.repeats,
    estimatedPoints: waves?.pointsMax ?? request.points,
    waves:
      waves === null
        ? null
        : {
            max: waves.max,
            leastPoints: Math.min(leastPoints(items), waves.pointsMax),
            mostPoints: waves.pointsMax,
            expectedPoints: panelId === null ? null : await expectedPoints(db, accountId, panelId),
          },
    availablePoints,
    // A run in waves can start with the first one, and ends when no more points are available.
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
    waves: null,
    availablePoints,
    affordable: true,
    capExceeded: null,
    errors,
    nextSlots: [],
  };
}

/** What the last runs of the current revision cost that stopped by themselves. Null: there is none. */
async function expectedPoints(db: Queryable, accountId: string, panelId: string): Promise<number | null> {
  // Index: the primary keys. Locks nothing.
  const { rows } = await db.query<{ points: number | null }>(
    `select round(avg(points))::float8 as points from (
       select r.points from panel_runs r
         join panels p on p.account_id = r.account_id and p.id = r.panel_id and p.revision = r.revision
        where r.account_id = $1 and r.panel_id = $2 and r.waves->>'stopped' in ('width_reached', 'repeats_max', 'points_max')
        order by r.id desc limit 10) last`,
    [accountId, panelId],
  );
  return rows[0]?.points ?? null;
}
