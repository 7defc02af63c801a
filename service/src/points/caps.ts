import pg from "pg";
import { rowsAs, type Queryable, type Transaction } from "../db/index.ts";
import { ProblemError } from "../api/problem-error.ts";
import { capThresholds, type Cap, type CapReached } from "@querent/contract";

/** What one submission holds: a batch, or a run of a panel with all of its batches. */
export interface PointsRequest {
  readonly accountId: string;
  /** The panel that asks, and its project; null for a batch that belongs to none. The id is null for one that is not stored. */
  readonly panel: { readonly panelId: string | null; readonly projectId: string } | null;
  readonly points: number;
  /** What earlier waves of the same run have held, for caps of a run. Default: 0. */
  readonly runPointsBefore?: number;
  /** The points of the tasks with each tag. */
  readonly tags: ReadonlyMap<string, number>;
}

/** A cap does not allow the submission. `capRefusalOf` finds out which, after the transaction has ended. */
export class CapExceeded extends Error {
  readonly request: PointsRequest;

  constructor(request: PointsRequest) {
    super("A cap does not allow these points.");
    this.name = "CapExceeded";
    this.request = request;
  }
}

/** SQL: the points held today and this month, of a row `c` of `caps`. */
export const dayHeld = "case when c.day = (now() at time zone 'UTC')::date then c.day_held else 0 end";
export const monthHeld =
  "case when c.month = date_trunc('month', now() at time zone 'UTC')::date then c.month_held else 0 end";

/** What a submission holds of what a cap can be for. */
type Share = readonly [kind: string, subject: string, points: number];

const shareRows = rowsAs<Share>("s", {
  kind: ["text", ([kind]) => kind],
  subject: ["text", ([, subject]) => subject],
  points: ["bigint", ([, , points]) => points],
});

/** SQL: the caps that concern a submission, `$1` the account, `$2` the points of its run before, then its shares. */
const concerned = `select c.*, s.points, (now() at time zone 'UTC')::date::text as today, ${dayHeld} as day_before, ${monthHeld} as month_before,
            $2::bigint as run_before
     from ${shareRows.after(2)}
     join caps c on c.account_id = $1 and c.kind = s.kind and c.subject = s.subject`;

const concernedColumns = `cap.kind, cap.subject, cap.points, cap.run_points, cap.day_points, cap.month_points, cap.day_before,
            cap.month_before, cap.run_before, cap.today`;

/**
 * Adds a submission to the sums of the caps that concern it, before its points are held. If one of them is exceeded, the
 * statement itself fails, so that the commit can be sent right behind it. Returns those caps, as they were before.
 */
export async function chargeCaps(tx: Transaction, request: PointsRequest): Promise<ConcernedCap[]> {
  try {
    // Locks: the caps' rows, in the order of their keys, before the account's row. Index: the primary key.
    const { rows } = await tx.query<ConcernedCap & Record<string, unknown>>({
      name: "charge caps",
      text: `with cap as materialized (${concerned} order by c.kind, c.subject for update of c)
             update caps c
                set day = (now() at time zone 'UTC')::date, month = date_trunc('month', now() at time zone 'UTC')::date,
                    day_held = case when cap.run_before + cap.points > c.run_points or cap.day_before + cap.points > c.day_points
                                      or cap.month_before + cap.points > c.month_points
                                    then null else cap.day_before + cap.points end,
                    month_held = cap.month_before + cap.points
               from cap where c.account_id = cap.account_id and c.kind = cap.kind and c.subject = cap.subject
            returning ${concernedColumns}`,
      values: valuesOf(request),
    });
    return rows;
  } catch (error) {
    const isRefusal =
      error instanceof pg.DatabaseError &&
      error.code === "23502" &&
      error.table === "caps" &&
      error.column === "day_held";
    throw isRefusal ? new CapExceeded(request) : error;
  }
}

/** A cap that concerns a submission, with the submission's points, and what was used of it before the submission. */
export interface ConcernedCap {
  readonly kind: Cap["kind"];
  readonly subject: string;
  readonly points: number;
  readonly run_points: number | null;
  readonly day_points: number | null;
  readonly month_points: number | null;
  readonly day_before: number;
  readonly month_before: number;
  readonly run_before: number;
  /** The day, in UTC. */
  readonly today: string;
}

/** The caps that concern a submission, as they are now. */
export async function readConcernedCaps(db: Queryable, request: PointsRequest): Promise<ConcernedCap[]> {
  const { rows } = await db.query<ConcernedCap & Record<string, unknown>>(
    `select ${concernedColumns} from (${concerned}) cap order by cap.kind, cap.subject`,
    valuesOf(request),
  );
  return rows;
}

/** The error for a submission that a cap does not allow (402), with each limit and by how much; null if all allow it by now. */
export async function capRefusalOf(db: Queryable, request: PointsRequest): Promise<ProblemError | null> {
  const exceeded = (await readConcernedCaps(db, request)).flatMap(describe);
  if (exceeded.length === 0) return null;
  return new ProblemError("cap_exceeded", `${exceeded.join(" ")} Nothing was accepted, and no points are held.`);
}

function describe(cap: ConcernedCap): string[] {
  const whose = cap.kind === "tag" ? `the tag "${cap.subject}"` : `the ${cap.kind}`;
  const say = (limit: number | null, period: string, before: number) =>
    limit === null || before + cap.points <= limit
      ? []
      : [
          `The cap of ${whose} is ${limit} points ${period}${before > 0 ? `, of which ${before} are used` : ""}; this needs ${cap.points}: ${before + cap.points - limit} over.`,
        ];
  return [
    ...say(cap.run_points, "a run or batch", cap.run_before),
    ...say(cap.day_points, "a day (UTC)", cap.day_before),
    ...say(cap.month_points, "a month (UTC)", cap.month_before),
  ];
}

function valuesOf({ accountId, panel, points, runPointsBefore = 0, tags }: PointsRequest): unknown[] {
  const shares: Share[] = [
    ["account", "", points],
    ...(panel === null ? [] : [["project", panel.projectId, points] as const]),
    ...((panel?.panelId ?? null) === null ? [] : [["panel", panel?.panelId ?? "", points] as const]),
    ...[...tags].map(([tag, ofTag]): Share => ["tag", tag, ofTag]),
  ];
  return [accountId, runPointsBefore, ...shareRows.values(shares)];
}

/**
 * The limits of a cap of which a submission used up 50, 80 or 100 percent, each with the highest of these that is reached. If it
 * was refused, only those that it exceeds.
 */
export function capWarnings(cap: ConcernedCap, isRefused: boolean): CapReached[] {
  const periods = [
    { period: "run", limit: cap.run_points, before: cap.run_before, start: cap.today },
    { period: "day", limit: cap.day_points, before: cap.day_before, start: cap.today },
    { period: "month", limit: cap.month_points, before: cap.month_before, start: `${cap.today.slice(0, 7)}-01` },
  ] as const;
  return periods.flatMap(({ period, limit, before, start }) => {
    const used = before + cap.points;
    if (limit === null || used === 0 || (isRefused && used <= limit)) return [];
    const thresholdPercent = capThresholds.findLast((percent) => used * 100 >= limit * percent);
    if (thresholdPercent === undefined) return [];
    return [
      {
        kind: cap.kind,
        subject: cap.subject === "" ? null : cap.subject,
        period,
        periodStart: start,
        thresholdPercent,
        limitPoints: limit,
        usedPoints: isRefused ? before : used,
        refusedPoints: isRefused ? cap.points : null,
      },
    ];
  });
}
