/** Invented data of each type of event, so that a receiver can be tried with all of them before the first one happens. */
import type { AccountEventData } from "@querent/contract";

/** Of whatever an invented event is about. */
export const noId = "00000000-0000-0000-0000-000000000000";

export function inventedData(now: Date): AccountEventData {
  const at = now.toISOString();
  const day = at.slice(0, 10);
  const weekBefore = new Date(now.getTime() - 7 * 86_400_000).toISOString();
  const surface = { platformCode: "test", kind: "api", locale: "", persona: "" } as const;
  const instrument = (modelVersion: string) => ({
    ...({ kind: "api", modelVersion, recipe: null, reader: 1, matcher: "1", sourceRules: "1" } as const),
  });
  const figure = (value: number) => ({
    value,
    interval: { low: value - 0.05, high: value + 0.05, level: 0.95, method: "test" },
    ...({ scope: "these_prompts", cells: 20, answers: 140, window: { from: weekBefore, to: at } } as const),
    ...{
      instrument: [instrument("model-1")],
      definition: "presence 1",
      reason: null,
      observations: "/v1/observations",
    },
  });
  return {
    "panel.run.finished": {
      ...{ panelId: noId, runId: noId, revision: 1, slot: at, startedAt: at, endedAt: at, taskCount: 20, waves: null },
      tasks: { completed: 19, failed: 1, canceled: 0, failedByCode: { run_timeout: 1 } },
    },
    "panel.change.detected": {
      ...{ changeId: noId, panelId: noId, measure: "presence", definition: "presence 1", entityId: noId, domain: null },
      ...surface,
      ...{
        direction: "down",
        difference: -0.2,
        since: day,
        sinceRunId: noId,
        foundAt: at,
        evidence: 900,
        threshold: 400,
      },
      ...{ before: figure(0.6), after: figure(0.4) },
    },
    "panel.instrument.changed": {
      ...{
        changeId: noId,
        panelId: noId,
        platformCode: "test",
        kind: "api",
        since: day,
        sinceRunId: noId,
        foundAt: at,
      },
      ...{ before: [instrument("model-1")], after: [instrument("model-2")], figures: [] },
    },
    "cap.reached": {
      ...{
        kind: "account",
        subject: null,
        period: "month",
        periodStart: `${day.slice(0, 7)}-01`,
        thresholdPercent: 80,
      },
      ...{ limitPoints: 1000, usedPoints: 800, refusedPoints: null },
    },
    "report.ready": {
      ...{ reportId: noId, panelId: noId, panelName: "Test", scheduleId: noId, language: "en", clientName: null },
      window: { from: weekBefore, to: at },
      ...{ shareUrl: null, shareExpiresAt: null, answers: 140, grade: "directional", figures: [], moreFigures: 0 },
    },
    "alert.raised": {
      ...{ alertId: noId, alertName: "Test", messageId: noId, state: "raised", language: "en", accountName: "Test" },
      findings: [],
      ...{ moreFindings: 0, url: null },
    },
  };
}
