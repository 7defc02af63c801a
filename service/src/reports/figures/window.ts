import { figureDaysDefault, figureDaysMax } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import type { Queryable } from "../../db/index.ts";

const dayMs = 86_400_000;

export interface FigureWindow {
  readonly from: string;
  readonly to: string;
}

/** The default window has so many runs, if the panel has them: an interval needs five, and some may have failed. */
const runsDefault = 7;

/**
 * The window of figures. Default: the 28 days before `to`, which is now by the database's clock, or the last seven runs if they began
 * earlier, as those of a panel that runs once a week.
 */
export async function windowOf(
  db: Queryable,
  panel: { readonly accountId: string; readonly panelId: string },
  given: {
    readonly from?: string | undefined;
    readonly to?: string | undefined;
    /** Instead of `from`: so many days before `to`. */
    readonly lastDays?: number | undefined;
  },
  pointers = { from: "?from", to: "?to" },
): Promise<FigureWindow> {
  const to = given.to === undefined ? await nowOf(db) : new Date(given.to);
  const from =
    given.lastDays !== undefined
      ? new Date(to.getTime() - given.lastDays * dayMs)
      : given.from === undefined
        ? await defaultFrom(db, panel, to)
        : new Date(given.from);
  const days = (to.getTime() - from.getTime()) / dayMs;
  if (days <= 0) throw invalid(pointers.to, "The window ends before it starts.");
  if (days > figureDaysMax) throw invalid(pointers.from, `The window has more than ${figureDaysMax} days.`);
  return { from: from.toISOString(), to: to.toISOString() };
}

async function defaultFrom(
  db: Queryable,
  { accountId, panelId }: { readonly accountId: string; readonly panelId: string },
  to: Date,
): Promise<Date> {
  // Index: the primary key, in its order: ids begin with their time. Locks nothing.
  const { rows } = await db.query<{ first: Date | null }>(
    `select min(created_at) as first from (
       select created_at from panel_runs
        where account_id = $1 and panel_id = $2 and state = 'started' and created_at < $3 order by id desc limit $4) as last`,
    [accountId, panelId, to, runsDefault],
  );
  const days = to.getTime() - figureDaysDefault * dayMs;
  const most = to.getTime() - figureDaysMax * dayMs;
  return new Date(Math.max(most, Math.min(days, rows[0]?.first?.getTime() ?? days)));
}

async function nowOf(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>("select now() as now");
  const [row] = rows;
  if (row === undefined) throw new Error("the database did not tell the time");
  return row.now;
}

const invalid = (pointer: string, detail: string) =>
  new ProblemError("validation_failed", "The window is not valid.", {
    errors: [{ pointer, code: "out_of_range", detail }],
  });
