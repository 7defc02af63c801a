/** Slots that platforms share, such as places in a browser, are free as soon as a run has left them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Slots } from "../../src/dispatch/run/slots.ts";
import { testEngine } from "../harness/engine.ts";
import { until } from "../harness/wait.ts";

test("a run that no longer uses what its platform shares makes room for another one, once", async () => {
  const slots = new Slots({
    slotsMax: 10,
    accountSlotsMax: 10,
    shared: { platforms: new Set(["page"]), slotsMax: 2 },
  });
  const [first, second] = [1, 2].map(() => ({ accountId: "a", platform: "page" }));
  assert.ok(first !== undefined && second !== undefined);
  const room = async () => {
    const grant = await slots.grant("page", 500);
    if (grant !== null) slots.settle(grant, []);
    return grant?.slots ?? 0;
  };
  const grant = await slots.grant("page", 500);
  assert.equal(grant?.slots, 2);
  slots.settle(grant, [first, second]);
  assert.equal(await room(), 0);
  assert.equal(slots.leaveShared(first), true);
  assert.equal(slots.leaveShared(first), false);
  assert.equal(await room(), 1);
  slots.free(first);
  assert.equal(await room(), 1, "its end frees what it had left already only once");
  slots.free(second);
  assert.equal(slots.leaveShared(second), false, "a run that was aborted may leave after its end");
  assert.equal(await room(), 2);
});

test("a task starts when another one leaves what they share, before its result is written", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  await engine.submit(account, 2);
  const leaving: (() => void)[] = [];
  const never = new Promise<never>(() => undefined);
  await engine.node(
    async (_claimed, _signal, _waiting, leaveShared) => {
      leaving.push(leaveShared);
      return never;
    },
    { shared: { platforms: new Set(["p"]), slotsMax: 1 } },
  );
  await until("the first to run", () => leaving.length === 1);
  leaving[0]?.();
  await until("the second to run", () => leaving.length === 2);
});
