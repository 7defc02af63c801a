/** One round: customers submit and read while something fails; afterwards everything that was promised is checked. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { verify } from "@octokit/webhooks-methods";
import type { Notification } from "@querent/contract";
import { unaskedAttempt, unreadAttempt } from "../../src/dispatch/queue/attempt-log.ts";
import { assertSound } from "../harness/engine.ts";
import type { Receiver } from "../harness/receiver.ts";
import { until } from "../harness/wait.ts";
import { query, type Patroni } from "./patroni.ts";
import type { Reader } from "./readers.ts";
import type { Services } from "./services.ts";
import { startSubmissions } from "./submissions.ts";
import { longestGap, startWriteProbe } from "./write-probe.ts";

export interface FailoverCluster {
  readonly patroni: Patroni;
  readonly services: Services;
  readonly receiver: Receiver;
  readonly readers: readonly Reader[];
  /** Every task that was accepted in a round so far. */
  readonly taskIds: Set<string>;
}

/** What happened in a round. */
export interface Figures {
  readonly round: string;
  readonly tasks: number;
  /** Runs that were started: more than tasks, if some were started again. */
  readonly asks: number;
  /** Submissions that were sent again. */
  readonly retries: number;
  readonly "deliveries repeated": number;
  /** The longest time, in seconds, in which plain SQL wrote nothing. */
  readonly "database gap": number;
  /** The longest time, in seconds, in which no submission was accepted. */
  readonly "service gap": number;
}

/** Runs `fault`, which resolves once it is over, under load. */
export async function runRound(cluster: FailoverCluster, round: string, fault: () => Promise<void>): Promise<Figures> {
  const { patroni, services, receiver } = cluster;
  const probe = await startWriteProbe(patroni.url);
  const submissions = startSubmissions(services.accounts, services.addresses);
  const deliveredBefore = receiver.requests.length;
  try {
    await until("work to be under way", () => receiver.requests.length > deliveredBefore + 40);
    await fault();
    const acceptedBefore = submissions.accepted.length;
    const delivered = receiver.requests.length;
    await until(
      "work to go on",
      () => submissions.accepted.length > acceptedBefore + 40 && receiver.requests.length > delivered + 40,
    );
    await submissions.stop();
  } finally {
    submissions.abandon();
    await probe.stop();
  }
  assert.deepEqual(submissions.wrong, [], "no reply but 202, 409, and 503 with Retry-After");

  const taskIds = submissions.taskIds();
  for (const taskId of taskIds) cluster.taskIds.add(taskId);
  await assertKept(cluster);
  return {
    round,
    tasks: taskIds.length,
    asks: await countAsks(patroni.url, taskIds),
    retries: [...submissions.replies].reduce((sum, [status, count]) => sum + (status === 202 ? 0 : count), 0),
    "deliveries repeated": receiver.requests.length - deliveredBefore - taskIds.length,
    "database gap": longestGap(probe.at),
    "service gap": longestGap(submissions.accepted.map(({ at }) => at)),
  };
}

/** Waits until all that was accepted has ended and was announced, and checks that nothing was lost or happened twice. */
async function assertKept({ patroni, services, receiver, readers, taskIds }: FailoverCluster): Promise<void> {
  await until("everything to be ended and announced", async () => {
    const [left] = await query<{ n: number }>(
      patroni.url,
      `select ((select count(*) from tasks where state = 'pending') + (select count(*) from dispatch)
             + (select count(*) from deliveries where state = 'pending'))::int as n`,
    ).catch(() => []);
    return left?.n === 0;
  });
  const tasks = await query<{ id: string; state: string }>(patroni.url, "select id, state from tasks");
  assert.deepEqual(new Set(tasks.map(({ id }) => id)), taskIds, "the tasks are those that were accepted");
  assert.deepEqual(new Set(tasks.map(({ state }) => state)), new Set(["completed"]));
  await assertSound({ query: async (sql: unknown) => ({ rows: await query(patroni.url, String(sql)) }) as never });
  await assertDelivered(services, receiver, taskIds);

  for (const reader of readers) {
    const own = await query<{ id: string }>(
      patroni.url,
      `select id from tasks where account_id = '${reader.accountId}'`,
    );
    await until(`${reader.name} to have read everything`, () => reader.taskIds.length >= own.length);
    assert.equal(reader.taskIds.length, own.length, `${reader.name} reads no event twice`);
    assert.deepEqual(new Set(reader.taskIds), new Set(own.map(({ id }) => id)), `${reader.name} misses nothing`);
    assert.deepEqual(reader.wrong, [], reader.name);
  }
}

/** Each task was announced under one id, with the same bytes and a valid signature each time. */
async function assertDelivered(services: Services, receiver: Receiver, taskIds: ReadonlySet<string>): Promise<void> {
  const idOf = new Map<string, string>();
  const digestOf = new Map<string, string>();
  for (const [index, { headers, body, path }] of receiver.requests.entries()) {
    const { task } = JSON.parse(body.toString()) as Notification;
    const id = String(headers["x-service-delivery"]);
    const digest = createHash("sha256").update(body).digest("hex");
    assert.equal(idOf.get(task.taskId) ?? id, id, "a task is announced under one id");
    assert.equal(digestOf.get(id) ?? digest, digest, "a repeated delivery has the same bytes");
    idOf.set(task.taskId, id);
    digestOf.set(id, digest);
    if (index % 50 !== 0) continue;
    const secret = services.accounts.find(({ accountId }) => path === `/${accountId}`)?.secret ?? "";
    assert.ok(await verify(secret, body.toString(), String(headers["x-service-signature"])), "the signature is valid");
  }
  assert.deepEqual(new Set(idOf.keys()), taskIds, "every end was announced");
  assert.equal(digestOf.size, taskIds.size, "each under an id of its own");
}

/**
 * Runs that were started. The attempts of a task are recorded unless the first one completed it. A claim whose reply was lost is
 * an attempt, too, and so is one whose questions could not be read, but these asked nothing.
 */
async function countAsks(url: string, taskIds: readonly string[]): Promise<number> {
  const unasked = [unaskedAttempt, unreadAttempt(false)].map(({ message }) => `'${message}'`);
  const [counted] = await query<{ asks: number }>(
    url,
    `select count(*)::int as asks
       from tasks t left join task_attempts a on a.task_id = t.id
            cross join lateral jsonb_array_elements(coalesce(a.entries, '[{}]')) as entry
      where t.id = any('{${taskIds.join(",")}}') and coalesce(entry ->> 'message', '') not in (${unasked.join(", ")})`,
  );
  return counted?.asks ?? 0;
}

/** Why runs were started again: what was recorded of those that did not complete, and how often. */
export async function whyAgain(url: string): Promise<string> {
  const rows = await query<{ why: string; runs: number }>(
    url,
    `select (entry - 'startedAt' - 'endedAt' - 'finishedAt' - 'durationMs' - 'nodeId')::text as why, count(*)::int as runs
       from task_attempts, jsonb_array_elements(entries) as entry
      group by 1 order by 2 desc limit 10`,
  );
  return rows.map(({ why, runs }) => `${runs} x ${why}`).join("\n");
}
