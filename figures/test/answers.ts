/** Answers and panels in a few words. */
import {
  entitiesIn,
  type Answer,
  type CitedSite,
  type FailedTask,
  type Instrument,
  type PanelDefinition,
  type PanelEntity,
} from "../src/index.ts";

type Given = Partial<Omit<Answer, "mentions" | "instrument">> &
  Partial<Pick<Instrument, "kind" | "modelVersion" | "matcher">> & {
    mentions?: readonly (string | { entityId: string; listPosition?: number | null })[];
  };

let count = 0;

/** `mentions`: entities in the order in which the answer names them. */
export function answer({ mentions = [], kind = "api", modelVersion = "m", matcher = "2", ...more }: Given): Answer {
  return {
    observationId: `o${count++}`,
    taskId: null,
    runId: "r0",
    observedAt: "2026-01-01T00:00:00.000Z",
    recordedAt: more.observedAt ?? "2026-01-01T00:00:00.000Z",
    promptId: "p1",
    platformCode: "sim",
    locale: "",
    persona: "",
    repeat: 1,
    panelRevision: 1,
    instrument: { kind, modelVersion, recipe: null, reader: 1, matcher, sourceRules: "1/1" },
    mentions: entitiesIn(mentions.map((one) => (typeof one === "string" ? { entityId: one } : one))),
    sources: [],
    cards: 0,
    contentLength: 100,
    searchCount: null,
    durationMs: null,
    chargedPoints: 0,
    flags: [],
    ...more,
  };
}

export const failedTask = (more: Partial<FailedTask> = {}): FailedTask => ({
  failureId: `f${count++}`,
  taskId: "t",
  runId: "r0",
  failedAt: "2026-01-01T00:00:00.000Z",
  promptId: "p1",
  platformCode: "sim",
  kind: "api",
  locale: "",
  persona: "",
  repeat: 1,
  panelRevision: 1,
  code: "platform_timeout",
  ...more,
});

/** The site of an address. */
export function source(canonicalUrl: string, type: string | null = "other"): CitedSite {
  const { host } = new URL(canonicalUrl);
  return { host, domain: host.split(".").slice(-2).join("."), type };
}

export const brand = (entityId: string, relation: PanelEntity["relation"], domains: string[] = []): PanelEntity => ({
  entityId,
  name: entityId,
  kind: "brand",
  relation,
  domains,
  createdAt: "2020-01-01T00:00:00.000Z",
});

/** Each prompt is a topic. */
export function panelOf(given: { prompts: readonly string[]; entities: readonly PanelEntity[] }): PanelDefinition {
  return {
    panelId: "019b76da-a800-7000-8000-000000000000",
    name: "Panel",
    revision: 1,
    digest: "sha256:0",
    prompts: given.prompts.map((promptId) => ({ promptId, topic: promptId, intent: null, branded: [] })),
    platforms: ["sim"],
    locales: [],
    personas: [],
    repeats: 1,
    entities: given.entities,
  };
}
