import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { TaskAttempts, TaskRecord } from "@querent/contract";
import type { Claimed, WorkEnd } from "../../src/dispatch/index.ts";
import { forgetAttempts, getTask, type RunResult } from "../../src/tasks/index.ts";
import { readAttempts } from "../../src/tasks/read/attempts.ts";
import { cancelTasks } from "../../src/tasks/finish/cancel-tasks.ts";
import { answered, testEngine, type TestEngine } from "../harness/engine.ts";
import { until } from "../harness/wait.ts";

const down: WorkEnd<RunResult> = {
  kind: "failed",
  fault: {
    code: "platform_unavailable",
    stage: "platform",
    message: "The platform answered 503.",
    platformStatus: 503,
  },
  retryable: true,
};
const throttled = (retryAfterMs: number): WorkEnd<RunResult> => ({
  kind: "throttled",
  retryAfterMs,
  platformStatus: 429,
});

/** A node that ends the runs in order as the list says, and the last way ever after. */
const inTurn = (...ends: readonly WorkEnd<RunResult>[]) => {
  let runs = 0;
  return () => Promise.resolve(ends[Math.min(runs++, ends.length - 1)] ?? answered);
};

interface Asked {
  readonly accountId: string;
  readonly taskId: string;
}

async function asked(engine: TestEngine): Promise<Asked> {
  const accountId = await engine.account("a");
  const [taskId = ""] = await engine.submit(accountId, 1);
  return { accountId, taskId };
}

const recordOf = async (engine: TestEngine, { accountId, taskId }: Asked): Promise<TaskRecord> => {
  const record = await getTask(engine.database, accountId, taskId);
  assert.ok(record);
  return record;
};

const attemptsOf = async (engine: TestEngine, { accountId, taskId }: Asked): Promise<TaskAttempts> => {
  const attempts = await readAttempts(engine.database, accountId, taskId);
  assert.ok(attempts);
  return attempts;
};

const platform = async (engine: TestEngine) => {
  const { rows } = await engine.database.query<{ held: Date | null; open: Date | null }>(
    "select held_until as held, breaker_open_until as open from platforms where code = 'p'",
  );
  return rows[0] ?? { held: null, open: null };
};

describe("while a task waits, its progress tells why", () => {
  test("after a failed attempt: what failed, and when it is tried again", async () => {
    const engine = await testEngine();
    await engine.node(inTurn(down), { random: () => 0.99 });
    const task = await asked(engine);
    const { progress } = await until("a failed attempt", async () => {
      const record = await recordOf(engine, task);
      return record.progress?.phase === "waiting_retry" ? record : null;
    });
    assert.equal(progress?.reason, "retry");
    assert.equal(progress?.attempt, 1);
    assert.ok(Date.parse(progress?.nextAttemptAt ?? "") > Date.parse(progress?.startedAt ?? ""));
    const { at, ...failure } = progress?.lastFailure ?? { at: "" };
    assert.deepEqual(failure, {
      code: "platform_unavailable",
      message: "The platform answered 503.",
      attempt: 1,
      platformStatus: 503,
    });
    assert.ok(Date.parse(at) >= Date.parse(progress?.startedAt ?? ""));
  });

  test("while the breaker is open: until when, for tasks that were tried and those that were not", async () => {
    const engine = await testEngine();
    await engine.limiter({ breakerAfter: 1, attemptsMax: 5 });
    await engine.node(inTurn(down), { random: () => 0 });
    const tried = await asked(engine);
    await until("the breaker to open", async () => (await platform(engine)).open !== null);
    const untried = { accountId: tried.accountId, taskId: (await engine.submit(tried.accountId, 1))[0] ?? "" };
    const waiting = await until("the task to be given back", async () => {
      const record = await recordOf(engine, tried);
      return record.progress?.phase === "running" ? null : record;
    });
    const openUntil = (await platform(engine)).open?.toISOString();
    assert.deepEqual(
      [waiting.progress?.phase, waiting.progress?.reason, waiting.progress?.nextAttemptAt],
      ["waiting_retry", "breaker_open", openUntil],
    );
    assert.equal(waiting.progress?.lastFailure?.code, "platform_unavailable");
    const { progress } = await recordOf(engine, untried);
    assert.deepEqual(
      [progress?.phase, progress?.attempt, progress?.reason, progress?.nextAttemptAt, progress?.lastFailure],
      ["queued", 0, "breaker_open", openUntil, null],
    );
  });

  test("while the platform is throttled: until when, and what it answered", async () => {
    const engine = await testEngine();
    await engine.node(inTurn(throttled(60_000)));
    const task = await asked(engine);
    const { progress } = await until("the throttle", async () => {
      const record = await recordOf(engine, task);
      return record.progress?.reason === "throttled" ? record : null;
    });
    assert.equal(progress?.phase, "waiting_retry");
    assert.equal(progress?.nextAttemptAt, (await platform(engine)).held?.toISOString());
    assert.equal(progress?.lastFailure?.code, "platform_rate_limited");
    assert.equal(progress?.lastFailure?.platformStatus, 429);
  });

  test("while the operator has set the platform's limit to 0", async () => {
    const engine = await testEngine();
    await engine.limiter({ runningMax: 0 });
    const { progress } = await recordOf(engine, await asked(engine));
    assert.deepEqual([progress?.phase, progress?.reason, progress?.nextAttemptAt], ["queued", "paused", null]);
  });
});

describe("a failure tells of as many attempts as were made", () => {
  test("those that the platform throttled among them", async () => {
    const engine = await testEngine();
    await engine.node(inTurn(throttled(1), throttled(1), down), { random: () => 0 });
    const task = await asked(engine);
    await engine.allEnded();
    const { failure } = await recordOf(engine, task);
    assert.equal(failure?.attempts, 5);
    assert.deepEqual(
      (await attemptsOf(engine, task)).attempts.map(({ attempt, outcome, code, platformStatus }) => [
        attempt,
        outcome,
        code,
        platformStatus,
      ]),
      [
        [1, "throttled", "platform_rate_limited", 429],
        [2, "throttled", "platform_rate_limited", 429],
        [3, "failed", "platform_unavailable", 503],
        [4, "failed", "platform_unavailable", 503],
        [5, "failed", "platform_unavailable", 503],
      ],
    );
    await engine.assertSound();
  });

  test("probes of an open breaker among them, and the waits say that it was open", async () => {
    const engine = await testEngine();
    await engine.limiter({ breakerAfter: 1, attemptsMax: 2 });
    await engine.node(inTurn(down), { random: () => 0 });
    const task = await asked(engine);
    await until("the breaker to open", async () => (await platform(engine)).open !== null);
    await until("the task to be given back", async () => (await recordOf(engine, task)).progress?.phase !== "running");
    await engine.database.query("update platforms set breaker_open_until = now()");
    await engine.submit(task.accountId, 1);
    await until("the task's end", async () => (await recordOf(engine, task)).state === "failed");
    assert.equal((await recordOf(engine, task)).failure?.attempts, 2);
    const { attempts, waits } = await attemptsOf(engine, task);
    assert.deepEqual(
      attempts.map(({ attempt, probe }) => [attempt, probe]),
      [
        [1, false],
        [2, true],
      ],
    );
    assert.deepEqual(
      waits.map(({ reason, from, until: to }) => [reason, from, to]),
      [
        ["queued", (await recordOf(engine, task)).createdAt, attempts[0]?.startedAt],
        ["breaker_open", attempts[0]?.endedAt, attempts[1]?.startedAt],
      ],
    );
  });

  test("those whose node died among them, though they do not count towards the platform's limit", async () => {
    const engine = await testEngine();
    const dead = await engine.node(undefined, { times: { leaseTtlMs: 600_000, renewEveryMs: 300_000 } });
    const task = await asked(engine);
    await until("a run", () => dead.held.length === 1);
    await engine.database.query("update nodes set lease_until = now() - interval '1 second'");
    const counted: number[] = [];
    await engine.node(
      ({ attempt }: Claimed) => {
        counted.push(attempt);
        return Promise.resolve(down);
      },
      { random: () => 0, times: { leaseTtlMs: 4000, renewEveryMs: 50 } },
    );
    await until("the task's end", async () => (await recordOf(engine, task)).state === "failed");
    assert.deepEqual(counted, [1, 2, 3]);
    assert.equal((await recordOf(engine, task)).failure?.attempts, 4);
    assert.deepEqual(
      (await attemptsOf(engine, task)).attempts.map(({ attempt, outcome }) => [attempt, outcome]),
      [
        [1, "lost"],
        [2, "failed"],
        [3, "failed"],
        [4, "failed"],
      ],
    );
    await engine.assertSound();
  });
});

test("what a task took is its last attempt, without the waits before it", async () => {
  const engine = await testEngine();
  await engine.node(inTurn(throttled(300), answered));
  const task = await asked(engine);
  await engine.allEnded();
  const record = await recordOf(engine, task);
  const { attempts, waits, attemptCount } = await attemptsOf(engine, task);
  assert.equal(attemptCount, 2);
  assert.deepEqual(
    attempts.map(({ outcome }) => outcome),
    ["throttled", "completed"],
  );
  assert.deepEqual(
    waits.map(({ reason }) => reason),
    ["queued", "throttled"],
  );
  assert.equal(record.durationMs, Date.parse(record.completedAt ?? "") - Date.parse(attempts[1]?.startedAt ?? ""));
  assert.ok((record.durationMs ?? 0) + 290 < Date.parse(record.completedAt ?? "") - Date.parse(record.startedAt ?? ""));
});

test("a task that completes at its first attempt writes nothing of it, and it is shown all the same", async () => {
  const engine = await testEngine();
  await engine.node(inTurn(answered));
  const task = await asked(engine);
  await engine.allEnded();
  assert.deepEqual((await engine.database.query("select from task_attempts")).rows, []);
  const record = await recordOf(engine, task);
  const { attempts, attemptCount } = await attemptsOf(engine, task);
  assert.equal(attemptCount, 1);
  assert.deepEqual(
    attempts.map(({ attempt, outcome, startedAt, endedAt }) => [attempt, outcome, startedAt, endedAt]),
    [[1, "completed", record.startedAt, record.completedAt]],
  );
});

test("of many attempts the last 20 are kept, and a message is cut", async () => {
  const engine = await testEngine();
  await engine.limiter({ attemptsMax: 25 });
  const long: WorkEnd<RunResult> = {
    kind: "failed",
    fault: { code: "platform_timeout", stage: "platform", message: `\0${"x".repeat(10_000)}`, platformStatus: null },
    retryable: true,
  };
  await engine.node(inTurn(long), { random: () => 0 });
  const task = await asked(engine);
  await engine.allEnded();
  const { attempts, attemptCount } = await attemptsOf(engine, task);
  assert.equal(attemptCount, 25);
  assert.deepEqual(
    attempts.map(({ attempt }) => attempt),
    Array.from({ length: 20 }, (_, index) => index + 6),
  );
  assert.ok(attempts.every(({ message }) => message?.length === 499));
});

test("a running attempt is shown, with its node; canceled, it is shown as that", async () => {
  const engine = await testEngine();
  const { held } = await engine.node();
  const task = await asked(engine);
  await until("a run", () => held.length === 1);
  const [running] = (await attemptsOf(engine, task)).attempts;
  assert.deepEqual([running?.attempt, running?.outcome, running?.endedAt], [1, null, null]);
  assert.match(running?.nodeId ?? "", /^[0-9a-f-]{36}$/);
  await cancelTasks(engine.database, [task.taskId], engine.ends);
  const [canceled] = (await attemptsOf(engine, task)).attempts;
  assert.deepEqual([canceled?.attempt, canceled?.outcome, canceled?.nodeId], [1, "canceled", running?.nodeId]);
  assert.equal((await recordOf(engine, task)).durationMs, null);
});

test("attempts are deleted once the result has expired, and not shown from that instant", async () => {
  const engine = await testEngine();
  await engine.node(inTurn(down), { random: () => 0 });
  const task = await asked(engine);
  await engine.allEnded();
  await forgetAttempts(engine.database);
  assert.equal((await attemptsOf(engine, task)).attempts.length, 3);
  await engine.database.query("update tasks set expires_at = now()");
  await engine.database.query("update task_attempts set expires_at = now()");
  const { expired, attempts, waits, attemptCount } = await attemptsOf(engine, task);
  assert.deepEqual(
    { expired, attempts, waits, attemptCount },
    { expired: true, attempts: [], waits: [], attemptCount: null },
  );
  await forgetAttempts(engine.database);
  assert.deepEqual((await engine.database.query("select from task_attempts")).rows, []);
});

test("nobody reads the attempts of another account's task", async () => {
  const engine = await testEngine();
  const { taskId } = await asked(engine);
  assert.equal(await readAttempts(engine.database, await engine.account("b"), taskId), null);
});
