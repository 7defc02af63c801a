import { Type, type Static } from "typebox";
import { Closed, Nullable, Timestamp, Uuid } from "./scalars.ts";

/** The concurrency limit and rate limit of a platform. */
export const PlatformLimits = Closed({
  runningMax: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: "Maximum number of running tasks, over all nodes. 0 pauses the platform.",
  }),
  rate: Nullable(
    Closed({
      perSecond: Type.Number({ minimum: 0.01, maximum: 1_000_000, description: "Tasks started per second." }),
      burst: Type.Integer({ minimum: 1, maximum: 10_000, description: "Tasks started at once." }),
    }),
    { description: "Null for no rate limit." },
  ),
});
export type PlatformLimits = Static<typeof PlatformLimits>;

const bounded = "Counted up to 20,000.";

/** A platform's queue and limiter, over all accounts. */
export const QueueRecord = Type.Object({
  platformCode: Type.String(),
  name: Type.String(),
  configured: Type.Boolean(),
  queued: Type.Integer({ minimum: 0, description: `Tasks that are ready to start. ${bounded}` }),
  waiting: Type.Integer({ minimum: 0, description: `Tasks that wait for \`notBefore\` or for a retry. ${bounded}` }),
  running: Type.Integer({ minimum: 0 }),
  oldestQueuedAt: Nullable(Timestamp, { description: "When the oldest queued task was accepted." }),
  limits: PlatformLimits,
  configuredLimits: Nullable(PlatformLimits, {
    description: "The configured limits. Null for a platform that is disabled in the configuration.",
  }),
  override: Nullable(
    Type.Object({ setAt: Timestamp, tokenId: Nullable(Uuid, { description: "The token that set the limits." }) }),
    { description: "Present while limits that were set live replace the configured ones." },
  ),
  heldUntil: Nullable(Timestamp, {
    description: "Throttled until: the platform returned a rate limit, and no task starts before this time.",
  }),
  breaker: Type.Object({
    opensAfter: Nullable(
      Type.Integer({ description: "The number of consecutive failures that open it. Null: never." }),
    ),
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
  alive: Type.Boolean({ description: "True while its lease has not expired, by the database's clock." }),
  running: Type.Integer({ minimum: 0 }),
  roles: Nullable(Type.Array(Type.String()), { description: "The roles of its process. Null until it has reported." }),
  slotsMax: Nullable(
    Type.Integer({ minimum: 1, description: "Tasks that it runs at once. Null until it has reported." }),
  ),
  onlyPlatforms: Nullable(Type.Array(Type.String()), {
    description: "`QUERENT_WORKER_PLATFORMS`: the platforms to which it is restricted. Null: none.",
  }),
  platforms: Type.Array(
    Type.Object({
      platformCode: Type.String(),
      running: Type.Integer({ minimum: 0 }),
      missing: Nullable(
        Type.String({ description: "Why it cannot ask the platform, for the operator. Null if it can." }),
      ),
    }),
    { description: "The platforms whose tasks it runs, and those that it should run and cannot." },
  ),
  browser: Nullable(
    Type.Object({
      usable: Type.Boolean(),
      why: Nullable(Type.String({ description: "Why it cannot use a browser. Null if it can." })),
    }),
    {
      description: "Whether it can use a browser, for screenshots and web platforms. Null until this has been checked.",
    },
  ),
});
export type NodeRecord = Static<typeof NodeRecord>;

export const NodeList = Type.Object({ nodes: Type.Array(NodeRecord) });
export type NodeList = Static<typeof NodeList>;

const used = (what: string) => Type.Integer({ minimum: 0, description: what });
const inThisProcess = "in the process that answered";

/** What an account uses now of what all accounts share. */
export const AccountUse = Type.Object({
  accountId: Uuid,
  name: Type.String(),
  running: used("Running tasks, over all nodes."),
  deliveries: used("Slots of webhook deliveries, over all processes."),
  eventStreams: used(`Event streams ${inThisProcess}.`),
  waits: used(`Requests that wait for the end of a task (\`Prefer: wait\`) ${inThisProcess}.`),
  lists: used(`Requests for lists, usage and overviews ${inThisProcess}.`),
  exports: used(`Exports of batches ${inThisProcess}.`),
  largeBodies: used(`Requests with a body above 256 KiB ${inThisProcess}.`),
});
export type AccountUse = Static<typeof AccountUse>;

export const Engine = Type.Object({
  queues: Type.Array(QueueRecord),
  nodes: Type.Array(NodeRecord),
  accounts: Type.Array(AccountUse, { description: "The 20 accounts that use the most at the moment." }),
});
export type Engine = Static<typeof Engine>;
