import type { PageSnapshots } from "../../../src/platforms/web/page/snapshots.ts";

/** What a run has captured of a page with this turn. */
export const captured = (turn: string, more: Partial<PageSnapshots> = {}): PageSnapshots => ({
  format: "querent.captures/1",
  recipe: { name: "test", version: 1, sha256: "" },
  question: "Why?",
  deepAnalysis: false,
  startedAt: "2026-11-01T09:30:00.000Z",
  observedAt: "2026-11-01T09:30:20.000Z",
  url: "https://assistant.example/",
  title: "",
  turn,
  page: null,
  expanded: {},
  response: null,
  matched: {},
  refused: {},
  stoppedFor: null,
  cut: [],
  ...more,
});
