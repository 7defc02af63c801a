import type { SeriesVerdict as VerdictRecord } from "@querent/contract";
import { measureOf, type ChangeSeries, type InstrumentDays, type SeriesJudgement } from "@querent/figures";
import { dayMs } from "./describe-changes.ts";
import type { Found } from "./found-changes.ts";

/** A sign that a web platform's page does not match its recipe. */
export interface PlatformDriftSign {
  readonly what: string;
  readonly sign: "fallback" | "unmatched" | "check" | "unread";
  readonly since: string;
}

/** For this many days after it was found, a change is the verdict on its series. After that, the verdict refers to later days. */
const changedDays = 28;

/** What identifies a series in a panel. */
export const seriesKey = ({ measure, entityId, domain, platformCode, kind, locale, persona }: ChangeSeries) =>
  JSON.stringify([measure, entityId ?? domain, platformCode, kind, locale, persona]);
export const platformKey = ({ platformCode, kind }: Pick<InstrumentDays, "platformCode" | "kind">) =>
  JSON.stringify([platformCode, kind]);

/** The verdict on a series, as it is shown. `found`: what was found in the panel, newest first. */
export function verdictRecord(verdict: SeriesJudgement, found: readonly Found[], today: string): VerdictRecord {
  const { series, segment, from, to, prompts, promptsLeftOut, evidence, threshold } = verdict;
  const isJudged = verdict.verdict === "changed" || verdict.verdict === "not_distinguishable";
  const record = {
    ...aboutOf(series),
    from,
    to,
    prompts: prompts.size,
    promptsLeftOut,
    evidence: isJudged ? evidence : null,
    threshold: isJudged ? threshold : null,
    changeId: null,
    smallestChange: null,
    missingDays: "needed" in verdict ? verdict.needed - verdict.days : null,
    paused: null,
  };
  const change = found.find(
    ({ kind, series: key, day }) => kind === "change" && key === seriesKey(series) && day >= segment.from,
  );
  if (change !== undefined && Date.parse(today) - Date.parse(change.day) <= changedDays * dayMs)
    return { ...record, verdict: "changed", changeId: change.data.changeId };
  if (verdict.verdict === "not_distinguishable")
    return {
      ...record,
      verdict: verdict.verdict,
      smallestChange: verdict.smallest,
      reason: verdict.mayBeDependence ? "dependent_runs" : null,
    };
  if (verdict.verdict !== "instrument_changed") return { ...record, verdict: verdict.verdict };
  const seam = found.find(
    ({ kind, series: key, day }) =>
      kind === "instrument" &&
      key === platformKey(series) &&
      Math.abs(Date.parse(day) - Date.parse(segment.from)) <= dayMs,
  );
  return { ...record, verdict: verdict.verdict, changeId: seam?.data.changeId ?? null };
}

/** Empty if the verdicts on the platform are not paused. */
export function pausedRecord(series: ChangeSeries, signs: readonly PlatformDriftSign[] | undefined): VerdictRecord[] {
  if (signs === undefined) return [];
  return [
    {
      ...aboutOf(series),
      verdict: null,
      from: null,
      to: null,
      prompts: new Set(series.sums.map(({ promptId }) => promptId)).size,
      promptsLeftOut: 0,
      evidence: null,
      threshold: null,
      changeId: null,
      smallestChange: null,
      missingDays: null,
      paused: {
        reason: "recipe_drift",
        since: signs.map(({ since }) => since).toSorted()[0] ?? "",
        signs: signs.map(({ what, sign }) => ({ what, sign })),
      },
    },
  ];
}

function aboutOf({ measure, entityId, domain, platformCode, kind, locale, persona }: ChangeSeries) {
  return { measure, definition: measureOf(measure).definition, entityId, domain, platformCode, kind, locale, persona };
}
