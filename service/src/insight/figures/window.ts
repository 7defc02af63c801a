import { figureDaysDefault, figureDaysMax } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import type { Queryable } from "../../db/index.ts";

const dayMs = 86_400_000;

export interface FigureWindow {
  readonly from: string;
  readonly to: string;
}

/** The window of figures. Default: the 28 days before `to`, which is now by the database's clock. */
export async function windowOf(
  db: Queryable,
  given: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<FigureWindow> {
  const to = given.to === undefined ? await nowOf(db) : new Date(given.to);
  const from = given.from === undefined ? new Date(to.getTime() - figureDaysDefault * dayMs) : new Date(given.from);
  const days = (to.getTime() - from.getTime()) / dayMs;
  if (days <= 0) throw invalid("?to", "The window ends before it starts.");
  if (days > figureDaysMax) throw invalid("?from", `The window has more than ${figureDaysMax} days.`);
  return { from: from.toISOString(), to: to.toISOString() };
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
