/** Accounts are told once when 50, 80 and 100 percent of a cap are used, and when a submission is refused because of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CapReached, EventPage } from "@querent/contract";
import { capWarnings, type ConcernedCap } from "../../src/points/index.ts";
import { item, refused, startTestService, type TestAccount } from "../harness/service.ts";
import { createPanel, runPanel } from "./fixture.ts";

const service = await startTestService();

const subscribed = async () => {
  const account = await service.account({ points: 1000 });
  await account.call("PUT", "/v1/webhook", { body: { url: null, events: ["task.finished", "cap.reached"] } });
  return account;
};
const setCaps = async (account: TestAccount, caps: object[]) => {
  const { status, text } = await account.call("PUT", "/v1/caps", { body: { caps } });
  assert.equal(status, 200, text);
};
const told = async (account: TestAccount): Promise<CapReached[]> =>
  (await account.get<EventPage<"cap.reached">>("/v1/events?types=cap.reached")).body.events.map(
    ({ notification }) => notification.data,
  );
const inShort = ({ kind, subject, period, thresholdPercent, limitPoints, usedPoints, refusedPoints }: CapReached) =>
  [kind, subject ?? "", period, thresholdPercent, `${usedPoints}/${limitPoints}`, refusedPoints].join(" ").trim();
const items = (count: number, tags: string[] = []) => Array.from({ length: count }, () => item("Why?", { tags }));

test("each threshold of a cap is announced once, the highest if one submission reaches several", async () => {
  const account = await subscribed();
  await setCaps(account, [{ kind: "account", dayPoints: 10 }]);
  await account.submit(items(4));
  assert.deepEqual(await told(account), []);
  await account.submit(items(1));
  await account.submit(items(1));
  await account.submit(items(4));
  refused(await account.post(items(2), { "idempotency-key": "k" }), "cap_exceeded");
  assert.deepEqual((await told(account)).map(inShort), ["account  day 50 5/10", "account  day 100 10/10"]);
  // Another limit begins anew.
  await setCaps(account, [{ kind: "account", dayPoints: 12 }]);
  await account.submit(items(1));
  assert.deepEqual((await told(account)).map(inShort).slice(2), ["account  day 80 11/12"]);
});

test("a refused submission is announced once, with its points; what it did not hold is not counted", async () => {
  const account = await subscribed();
  await setCaps(account, [
    { kind: "account", monthPoints: 5 },
    { kind: "tag", subject: "coffee", runPoints: 2 },
  ]);
  for (const key of ["k", "l"])
    refused(await account.post(items(3, ["coffee"]), { "idempotency-key": key }), "cap_exceeded");
  assert.deepEqual((await told(account)).map(inShort), ["tag coffee run 100 0/2 3"]);
});

test("caps of panels and tags are announced for runs, each in the transaction that holds the points", async () => {
  const account = await subscribed();
  const { panelId } = await createPanel(account, { tags: ["coffee"] });
  await setCaps(account, [
    { kind: "panel", subject: panelId, monthPoints: 4 },
    { kind: "tag", subject: "coffee", dayPoints: 100, monthPoints: 2 },
  ]);
  assert.equal((await runPanel(account, panelId)).status, 202);
  assert.deepEqual((await told(account)).map(inShort), [`panel ${panelId} month 50 2/4`, "tag coffee month 100 2/2"]);
  refused(await runPanel(account, panelId), "cap_exceeded");
  assert.equal((await told(account)).length, 2);
});

test("an account that has not subscribed is not told, of a cap that refuses neither", async () => {
  const account = await service.account();
  await setCaps(account, [{ kind: "account", dayPoints: 2 }]);
  await account.submit(items(2));
  refused(await account.post(items(1), { "idempotency-key": "k" }), "cap_exceeded");
  await account.call("PUT", "/v1/webhook", { body: { url: null, events: ["task.finished", "cap.reached"] } });
  assert.deepEqual(await told(account), []);
});

test("submissions at the same moment announce each threshold once", async () => {
  const account = await subscribed();
  await setCaps(account, [{ kind: "account", dayPoints: 10 }]);
  await Promise.all(items(12).map((one, index) => account.post([one], { "idempotency-key": `${index}` })));
  assert.deepEqual(
    (await told(account)).map(({ thresholdPercent }) => thresholdPercent),
    [50, 80, 100],
  );
});

test("thresholds are exact, and a limit of nothing is reached by the first point", () => {
  const cap = (limit: number, before: number, points: number): ConcernedCap => ({
    kind: "account",
    subject: "",
    points,
    run_points: null,
    run_before: 0,
    day_points: null,
    month_points: limit,
    day_before: 0,
    month_before: before,
    today: "2026-11-22",
  });
  const reached = (limit: number, before: number, points: number, isRefused = false) =>
    capWarnings(cap(limit, before, points), isRefused).map(({ thresholdPercent }) => thresholdPercent);
  assert.deepEqual([reached(3, 0, 1), reached(3, 0, 2), reached(3, 2, 1)], [[], [50], [100]]);
  assert.deepEqual([reached(0, 0, 0), reached(0, 0, 1, true), reached(10, 4, 6, true)], [[], [100], []]);
  assert.equal(capWarnings(cap(2, 0, 1), false)[0]?.periodStart, "2026-11-01");
});
