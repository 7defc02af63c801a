import type { Engine, QueueRecord } from "@querent/contract";
import type { Database } from "../db/index.ts";
import { readNodes, readQueues, type PlatformLimits, type Queue } from "../dispatch/index.ts";
import { timeOfId } from "../kernel/ids.ts";
import { ProblemError } from "../api/problem-error.ts";

/** The platforms configured in this process, by code. */
export interface KnownPlatforms {
  /** `missing`: what it still needs; it may be provided while the service runs. */
  readonly platforms: ReadonlyMap<string, { readonly name: string; readonly missing: string | null }>;
  readonly limits: ReadonlyMap<string, PlatformLimits>;
}

/** Every platform's queue, and every node. */
export async function readEngine(database: Database, known: KnownPlatforms): Promise<Engine> {
  const [queues, nodes] = await Promise.all([readQueues(database), readNodes(database)]);
  return {
    queues: queues.map((queue) => queueRecord(queue, known)),
    nodes: nodes.map((node) => ({
      ...node,
      startedAt: node.startedAt.toISOString(),
      leaseUntil: node.leaseUntil.toISOString(),
    })),
  };
}

export async function readQueueRecord(
  database: Database,
  known: KnownPlatforms,
  platform: string,
): Promise<QueueRecord> {
  const [queue] = await readQueues(database, platform);
  if (queue === undefined) throw new ProblemError("not_found", "There is no such platform.");
  return queueRecord(queue, known);
}

function queueRecord(queue: Queue, known: KnownPlatforms): QueueRecord {
  const { runningMax, rate } = queue;
  const platform = known.platforms.get(queue.platform);
  const limits = known.limits.get(queue.platform);
  return {
    platformCode: queue.platform,
    name: platform?.name ?? queue.platform,
    configured: platform !== undefined && platform.missing === null,
    queued: queue.queued,
    waiting: queue.waiting,
    running: queue.running,
    oldestQueuedAt: queue.oldestQueued === null ? null : timeOfId(queue.oldestQueued).toISOString(),
    limits: { runningMax, rate },
    configuredLimits: limits === undefined ? null : { runningMax: limits.runningMax, rate: limits.rate },
    override:
      queue.overriddenAt === null ? null : { setAt: queue.overriddenAt.toISOString(), tokenId: queue.overriddenBy },
    heldUntil: queue.throttledUntil?.toISOString() ?? null,
    breaker: {
      opensAfter: queue.breakerAfter,
      failuresInRow: queue.failuresInRow,
      openUntil: queue.breakerOpenUntil?.toISOString() ?? null,
    },
  };
}
