import type { StoredResult, TaskRecord } from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";

/** A stored result that consists only of a text. */
export const emptyResult: Required<StoredResult> = {
  content: "An answer.",
  pageHtml: null,
  modelVersion: null,
  observedAt: null,
  sources: [],
  products: [],
  videos: [],
  media: [],
  reasoningProcess: null,
  searchProcess: null,
  screenshotUrl: null,
  shareUrl: null,
  availability: {
    content: "present",
    sources: "none_on_platform",
    products: "none_on_platform",
    videos: "none_on_platform",
    media: "none_on_platform",
    reasoningProcess: "not_exposed",
    searchProcess: "not_exposed",
    pageHtml: "not_exposed",
    screenshot: "not_requested",
    share: "not_requested",
  },
  provenance: { kind: "sample", platform: "p", endpoint: null, region: null },
  effective: {},
  truncatedBy: null,
};

/** The record of a completed task; `fields` replaces its members. */
export function taskRecord(fields: Partial<TaskRecord> = {}): TaskRecord {
  return {
    taskId: newId(),
    batchId: newId(),
    clientReference: null,
    tags: [],
    question: "Why?",
    platformCode: "simulator",
    options: { deepAnalysis: false, output: "answer", resultFormat: "json" },
    webhookUrl: null,
    priority: 5,
    notBefore: null,
    startBefore: null,
    runTimeoutSeconds: 60,
    state: "completed",
    progress: null,
    ...emptyResult,
    truncatedBy: null,
    availability: null,
    provenance: null,
    effective: null,
    failure: null,
    chargedPoints: 1,
    revision: 1,
    expired: false,
    createdAt: "2026-11-01T09:30:00.000Z",
    startedAt: null,
    completedAt: "2026-11-01T09:30:01.000Z",
    canceledAt: null,
    expiresAt: null,
    durationMs: null,
    ...fields,
  };
}
