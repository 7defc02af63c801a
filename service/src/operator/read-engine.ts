import type { Engine, NodeRecord, QueueRecord, AccountUse } from "@querent/contract";
import type { Database } from "../db/index.ts";
import {
  readNodes,
  readQueues,
  runningByAccount,
  type NodeRow,
  type StartLimits,
  type Queue,
} from "../dispatch/index.ts";
import { timeOfId } from "../kernel/ids.ts";
import { ProblemError } from "../api/problem-error.ts";
import { accountNames } from "../accounts/index.ts";
import type { AccountSemaphore } from "../api/account-semaphore.ts";
import { deliveringByAccount } from "../webhooks/index.ts";

/** The platforms configured in this process, by code. */
export interface KnownPlatforms {
  /** `missing`: what it still needs; it may be provided while the service runs. */
  readonly platforms: ReadonlyMap<string, { readonly name: string; readonly missing: string | null }>;
  readonly limits: ReadonlyMap<string, StartLimits>;
}

/** Every platform's queue, every node, and the accounts that use the most. */
export async function readEngine(database: Database, known: KnownPlatforms, places: Places): Promise<Engine> {
  const [queues, nodes, accounts] = await Promise.all([
    readQueues(database),
    readNodes(database),
    readAccountUse(database, places),
  ]);
  return {
    queues: queues.map((queue) => queueRecord(queue, known)),
    nodes: nodes.map(nodeRecord),
    accounts,
  };
}

/** Every node: for `GET /v1/admin/nodes` and `querentd nodes`. */
export async function readNodeRecords(database: Database): Promise<NodeRecord[]> {
  return (await readNodes(database)).map(nodeRecord);
}

function nodeRecord({ report, runningByPlatform, startedAt, leaseUntil, ...node }: NodeRow): NodeRecord {
  const { askable = [], lacking = {}, roles = null, slotsMax = null, onlyPlatforms = null } = report ?? {};
  const codes = [...new Set([...askable, ...Object.keys(lacking), ...Object.keys(runningByPlatform)])].toSorted();
  return {
    ...node,
    startedAt: startedAt.toISOString(),
    leaseUntil: leaseUntil.toISOString(),
    ...{
      roles: roles === null ? null : [...roles],
      slotsMax,
      onlyPlatforms: onlyPlatforms === null ? null : [...onlyPlatforms],
    },
    platforms: codes.map((platformCode) => ({
      platformCode,
      running: runningByPlatform[platformCode] ?? 0,
      missing: lacking[platformCode]?.why ?? null,
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

type Used = Omit<AccountUse, "accountId" | "name">;
/** What this process limits for each account. */
export type Places = Readonly<
  Record<Exclude<keyof Used, "running" | "deliveries">, Pick<AccountSemaphore, "takenByAccount">>
>;

const shownMax = 20;
const nothing: Used = {
  running: 0, deliveries: 0, eventStreams: 0, waits: 0, lists: 0, exports: 0, largeBodies: 0,
}; // prettier-ignore

/** The accounts that use the most now of what all accounts share. */
async function readAccountUse(database: Database, places: Places): Promise<AccountUse[]> {
  const [running, deliveries] = await Promise.all([runningByAccount(database), deliveringByAccount(database)]);
  const { eventStreams, waits, lists, exports, largeBodies } = places;
  const kinds: [keyof Used, ReadonlyMap<string, number>][] = [
    ["running", running],
    ["deliveries", deliveries],
    ["eventStreams", eventStreams.takenByAccount],
    ["waits", waits.takenByAccount],
    ["lists", lists.takenByAccount],
    ["exports", exports.takenByAccount],
    ["largeBodies", largeBodies.takenByAccount],
  ];
  const uses = new Map<string, Used>();
  for (const [kind, counts] of kinds)
    for (const [accountId, count] of counts)
      uses.set(accountId, { ...(uses.get(accountId) ?? nothing), [kind]: count });
  const most = [...uses]
    .map(([accountId, use]) => ({ accountId, use, sum: Object.values(use).reduce((sum, count) => sum + count, 0) }))
    .filter(({ sum }) => sum > 0)
    .toSorted((a, b) => b.sum - a.sum)
    .slice(0, shownMax);
  const names = await accountNames(
    database,
    most.map(({ accountId }) => accountId),
  );
  return most.map(({ accountId, use }) => ({ accountId, name: names.get(accountId) ?? "", ...use }));
}
