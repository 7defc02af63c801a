import { capThresholds, type CapReached } from "@querent/contract";
import type { ConcernedCap } from "./caps.ts";

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
