import assert from "node:assert/strict";
import { test } from "node:test";
import type { Overview, PlatformList, PlatformRecord } from "@querent/contract";
import { stateOf, type PlatformSigns } from "../../src/statistics/platform-state.ts";
import { startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

const service = await startTestService();

const now = new Date();
const limiter: PlatformSigns["limiter"] = {
  platform: "p",
  paused: false,
  unasked: false,
  throttledUntil: null,
  throttledSince: null,
  breakerOpenUntil: null,
  probing: false,
  failingSince: null,
  lastFailure: null,
};
const recent = (successRate: number | null) => ({
  windowSeconds: 300,
  finished: successRate === null ? 0 : 10,
  successRate,
});
const signs = (change: Partial<PlatformSigns>): PlatformSigns => ({
  unavailable: null,
  limiter,
  recent: recent(1),
  ...change,
});

test("a platform is ready while nothing speaks against it, also when nobody has asked it yet", () => {
  assert.equal(stateOf(signs({})), "ready");
  assert.equal(stateOf(signs({ recent: recent(null) })), "ready");
  assert.equal(stateOf(signs({ limiter: undefined, recent: recent(null) })), "ready");
});

test("a platform of which nothing succeeded lately is never ready", () => {
  assert.equal(stateOf(signs({ recent: recent(0) })), "degraded");
  assert.equal(stateOf(signs({ recent: recent(0), limiter: { ...limiter, failingSince: now } })), "failing");
  assert.equal(stateOf(signs({ recent: recent(null), limiter: { ...limiter, failingSince: now } })), "failing");
});

test("one whose last attempt failed, or of which many fail, is degraded", () => {
  assert.equal(stateOf(signs({ limiter: { ...limiter, failingSince: now } })), "degraded");
  assert.equal(stateOf(signs({ recent: recent(0.8) })), "degraded");
  assert.equal(stateOf(signs({ recent: recent(0.95) })), "ready");
});

test("one whose breaker has opened is failing until a probe succeeds, whatever succeeded before", () => {
  assert.equal(stateOf(signs({ limiter: { ...limiter, probing: true } })), "failing");
});

test("what is missing goes before everything else, a browser by its own name", () => {
  const paused = { ...limiter, paused: true, probing: true };
  assert.equal(
    stateOf(signs({ unavailable: { code: "platform_not_configured", detail: "" }, limiter: paused })),
    "not_configured",
  );
  assert.equal(
    stateOf(signs({ unavailable: { code: "browser_unavailable", detail: "" }, limiter: paused })),
    "no_browser",
  );
  assert.equal(stateOf(signs({ limiter: paused })), "paused");
});

async function simulatorSeenBy(account: TestAccount): Promise<PlatformRecord> {
  const { body } = await account.get<PlatformList>("/v1/platforms");
  const platform = body.platforms.find(({ platformCode }) => platformCode === "simulator");
  assert.ok(platform);
  return platform;
}

const conditionsSeenBy = async (account: TestAccount) => {
  const { body } = await account.get<Overview>("/v1/overview");
  return body.conditions.map(({ code, severity, platformCode }) => ({ code, severity, platformCode }));
};

test("a platform that fails says so with its last failure, and the overview lists it until it answers again", async () => {
  const account = await service.account();
  assert.equal((await simulatorSeenBy(account)).state, "ready");
  assert.deepEqual(await conditionsSeenBy(account), []);
  const taskId = await account.ask("fail=platform_unavailable");
  const failing = await until("the first failure", async () => {
    const platform = await simulatorSeenBy(account);
    return platform.lastFailure === null ? null : platform;
  });
  assert.equal(failing.state, "failing");
  assert.equal(failing.lastFailure?.code, "platform_unavailable");
  assert.ok(Date.parse(failing.failingSince ?? "") <= Date.parse(failing.lastFailure?.at ?? ""));
  const listed = { code: "platform_failing", severity: "error", platformCode: "simulator" };
  assert.deepEqual(await conditionsSeenBy(account), [listed]);
  await account.call("POST", `/v1/tasks/${taskId}/cancellation`);
  await account.answerTo("Again?");
  const well = await until("its success to be known", async () => {
    const platform = await simulatorSeenBy(account);
    return platform.failingSince === null ? platform : null;
  });
  assert.notEqual(well.state, "failing");
  assert.equal(well.lastFailure?.code, "platform_unavailable", "what failed last is still told");
  assert.deepEqual(await conditionsSeenBy(account), []);
});

test("a throttled platform says until when, and so does the overview", async () => {
  const account = await service.account();
  const taskId = await account.ask("throttle=30s");
  const platform = await until("the throttle", async () => {
    const seen = await simulatorSeenBy(account);
    return seen.throttledUntil === null ? null : seen;
  });
  assert.equal(platform.state, "throttled");
  assert.equal(platform.nextTryAt, platform.throttledUntil);
  assert.deepEqual(await conditionsSeenBy(account), [
    { code: "platform_throttled", severity: "warning", platformCode: "simulator" },
  ]);
  await account.call("POST", `/v1/tasks/${taskId}/cancellation`);
  await service.database.query("update platforms set held_until = null");
});

test("a platform that lacks its key is not configured, which is no condition: nobody asks it", async () => {
  const account = await service.account();
  const { body } = await account.get<PlatformList>("/v1/platforms");
  const without = body.platforms.filter(({ configured }) => !configured);
  assert.ok(without.length > 0);
  assert.ok(without.every(({ state }) => state === "not_configured" || state === "no_browser"));
});

test("points that are spent, or last less than a day, are listed", async () => {
  const [poor, low] = await Promise.all([service.account({ points: 0 }), service.account({ points: 3 })]);
  assert.deepEqual(
    (await conditionsSeenBy(poor)).map(({ code, severity }) => [code, severity]),
    [["points_exhausted", "error"]],
  );
  await low.answerTo("One?");
  await low.answerTo("Two?");
  assert.deepEqual(
    (await conditionsSeenBy(low)).map(({ code, severity }) => [code, severity]),
    [["points_low", "warning"]],
  );
});

test("a suspended address is listed with the reason, and so is one that fails", async () => {
  const account = await service.account();
  const set = (change: string) =>
    service.database.query(
      `update webhooks set url = 'https://hooks.example.com', origin = 'https://hooks.example.com', ${change} where account_id = $1`,
      [account.accountId],
    );
  await set("failures = 3, first_failure_at = now(), last_failure_status = 503");
  const { body: failing } = await account.get<Overview>("/v1/overview");
  assert.equal(failing.conditions[0]?.code, "endpoint_failing");
  assert.match(failing.conditions[0]?.detail ?? "", /status 503/);
  await set("suspended_at = now(), suspended_reason = 'gone', last_failure_status = 410");
  const { body: suspended } = await account.get<Overview>("/v1/overview");
  assert.deepEqual(
    [suspended.conditions[0]?.code, suspended.conditions[0]?.severity, suspended.conditions[0]?.since],
    ["endpoint_suspended", "error", suspended.webhook.suspendedAt],
  );
  assert.match(suspended.conditions[0]?.detail ?? "", /410/);
  assert.equal(suspended.webhook.suspendedReason, "gone");
});
