import type { TaskRecord } from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";

/** A completed task that never was, with these fields instead. */
export function taskRecord(fields: Partial<TaskRecord> = {}): TaskRecord {
  return {
    taskId: newId(),
    batchId: newId(),
    clientReference: null,
    tags: [],
    question: "Why?",
    platformCode: "simulator",
    options: { deepAnalysis: false, output: "answer", resultFormat: "json" },
    state: "completed",
    progress: null,
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
    availability: null,
    provenance: null,
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
