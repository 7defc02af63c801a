import { Type, type Static } from "typebox";
import { Closed, Nullable, Timestamp, Uuid } from "./scalars.ts";

/** How much of a platform may be asked at once, and how fast. */
export const PlatformLimits = Closed({
  runningMax: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: "Tasks that run at once, over all nodes. 0 stops the platform.",
  }),
  rate: Nullable(
    Closed({
      perSecond: Type.Number({ minimum: 0.01, maximum: 1_000_000, description: "Starts a second." }),
      burst: Type.Integer({ minimum: 1, maximum: 10_000, description: "Starts at once." }),
    }),
    { description: "Null: as fast as it goes." },
  ),
});
export type PlatformLimits = Static<typeof PlatformLimits>;

const bounded = "Counted up to 20,000.";

/** A platform's queue and gate, over all accounts. */
export const QueueRecord = Type.Object({
  platformCode: Type.String(),
  name: Type.String(),
  configured: Type.Boolean(),
  queued: Type.Integer({ minimum: 0, description: `Tasks that may start. ${bounded}` }),
  waiting: Type.Integer({ minimum: 0, description: `Tasks that wait for a time or a retry. ${bounded}` }),
  running: Type.Integer({ minimum: 0 }),
  oldestQueuedAt: Nullable(Timestamp, { description: "When the oldest queued task was accepted." }),
  limits: PlatformLimits,
  configuredLimits: Nullable(PlatformLimits, {
    description: "What the configuration says; null for a platform that is switched off in it.",
  }),
  override: Nullable(
    Type.Object({ setAt: Timestamp, tokenId: Nullable(Uuid, { description: "The token that set it." }) }),
    { description: "There while limits set live hold instead of the configuration's." },
  ),
  heldUntil: Nullable(Timestamp, { description: "The platform asked for patience; nothing starts before." }),
  breaker: Type.Object({
    opensAfter: Nullable(Type.Integer({ description: "Failures in a row; null: never." })),
    failuresInRow: Type.Integer({ minimum: 0 }),
    openUntil: Nullable(Timestamp, { description: "Set while it is open." }),
  }),
});
export type QueueRecord = Static<typeof QueueRecord>;

/** A process that runs tasks. */
export const NodeRecord = Type.Object({
  nodeId: Uuid,
  name: Type.String(),
  version: Type.String(),
  startedAt: Timestamp,
  leaseUntil: Timestamp,
  alive: Type.Boolean({ description: "Its lease has not run out, by the database's clock." }),
  running: Type.Integer({ minimum: 0 }),
  browser: Nullable(
    Type.Object({
      usable: Type.Boolean(),
      why: Nullable(Type.String({ description: "Why it can't use one; null when it can." })),
    }),
    {
      description:
        "Whether it can use a browser, for screenshots and for platforms that are web pages; null until it has looked.",
    },
  ),
});
export type NodeRecord = Static<typeof NodeRecord>;

export const Engine = Type.Object({ queues: Type.Array(QueueRecord), nodes: Type.Array(NodeRecord) });
export type Engine = Static<typeof Engine>;
