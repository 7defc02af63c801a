import type { PanelQuote } from "@querent/contract";
import { baselineRuns, runsMin } from "@querent/figures";
import type { Queryable } from "../../db/index.ts";
import { capRefusalOf, readBalance } from "../../points/index.ts";
import { pointsRequestOf, type ItemRules } from "../../tasks/index.ts";
import { nextSlot, nextSlots } from "./slots.ts";
import type { ReadPanel } from "./read-panel.ts";
import { leastPoints } from "./waves.ts";
import { pricePanel } from "./price-panel.ts";

const slotsShown = 60;
const dayMs = 86_400_000;

/** What a run of the panel would be and cost now, in its project. `panelId`: null for one that is not stored. */
export async function quotePanel(
  db: Queryable,
  accountId: string,
  {
    panelId,
    projectId,
    panel: { content, schedule },
  }: { panelId: string | null; projectId: string; panel: Omit<ReadPanel, "name"> },
  rules: ItemRules,
): Promise<PanelQuote> {
  const { cellCount, items, errors, waves } = await pricePanel(content, rules, "quote");
  const request = pointsRequestOf(
    accountId,
    { panelId, projectId },
    items.map(({ item }) => item),
  );
  const [{ availablePoints }, refusal, ran] = await Promise.all([
    readBalance(db, accountId),
    capRefusalOf(db, request),
    panelId === null ? { runs: 0, days: [] } : readRan(db, accountId, panelId),
  ]);
  const times = schedule === null || schedule.paused ? null : schedule;
  const slots = times === null ? [] : nextSlots(times, rules.now, slotsShown);
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
    nextSlots: slots.map((slot) => slot.toISOString()),
    firstInterval: slots[runsMin - ran.runs - 1]?.toISOString() ?? null,
    firstVerdict: times === null ? null : (firstVerdict(times, rules.now, ran.days)?.toISOString() ?? null),
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
    firstInterval: null,
    firstVerdict: null,
  };
}

/** The time with which there are enough days (UTC) with a run. Null: there are, or the schedule ends before. */
function firstVerdict(times: Parameters<typeof nextSlot>[0], now: Date, days: readonly string[]): Date | null {
  if (days.length > baselineRuns) return null;
  const ran = new Set(days);
  let slot = nextSlot(times, now);
  while (slot !== null && ran.add(slot.toISOString().slice(0, 10)).size <= baselineRuns)
    slot = nextSlot(times, new Date((Math.floor(slot.getTime() / dayMs) + 1) * dayMs - 1));
  return slot;
}

/** How many runs the panel has, and the days (UTC) on which it ran. */
async function readRan(db: Queryable, accountId: string, panelId: string): Promise<{ runs: number; days: string[] }> {
  // Index: the primary key. Locks nothing.
  const { rows } = await db.query<{ runs: number; days: string[] | null }>(
    `select count(*)::int as runs, array_agg(distinct to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')) as days
       from panel_runs where account_id = $1 and panel_id = $2 and state = 'started'`,
    [accountId, panelId],
  );
  return { runs: rows[0]?.runs ?? 0, days: rows[0]?.days ?? [] };
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
