/** Tasks that need a browser go to nodes that have one; what nodes say of theirs, and for how long it counts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { claim } from "../../src/dispatch/queue/claim.ts";
import { registerNode } from "../../src/dispatch/node/nodes.ts";
import {
  browserElsewhere,
  isElsewhere,
  readBrowserUsable,
  reportBrowser,
} from "../../src/dispatch/node/node-platforms.ts";
import { newId } from "../../src/kernel/ids.ts";
import { testDatabase } from "../harness/database.ts";
import { acceptableItem, answered, testEngine } from "../harness/engine.ts";
import { until } from "../harness/wait.ts";

const screenshot = { options: { ...acceptableItem.options, output: "screenshot" } } as const;

test("a node without a browser starts what stands behind screenshots, in its order, and leaves them to a node that has one", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const pictures = await engine.submit(account, 5, screenshot);
  const plain = await engine.submit(account, 5);
  const nodeId = await registerNode(engine.database, { name: "n", version: "0", leaseTtlMs: 3_600_000 });
  const claimed = async (leaveBrowserTasks: boolean) => {
    const result = await claim(engine.database, { platform: "p", nodeId, slots: 3, leaveBrowserTasks });
    return result.claimed.map(({ taskId }) => taskId);
  };
  assert.deepEqual(await claimed(true), plain.slice(0, 3));
  assert.deepEqual(await claimed(true), plain.slice(3));
  assert.deepEqual(await claimed(true), []);
  assert.deepEqual(await claimed(false), pictures.slice(0, 3));
  await engine.database.query("delete from dispatch");
});

test("tasks of a platform that a node can't ask wait, and start once it can", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  let areLeft = true;
  const { dispatcher, events } = await engine.node(async () => answered, {
    mayClaim: () => !areLeft,
  });
  const taskIds = await engine.submit(account, 3);
  const { dispatcher: other } = await engine.node(async () => answered, { platforms: [] });
  assert.equal(other.inFlight, 0);
  dispatcher.wake(["p"]);
  assert.deepEqual(await engine.states(), { pending: 3 });
  assert.equal(events.filter(({ event }) => event === "task.claimed").length, 0);
  areLeft = false;
  dispatcher.wake(["p"]);
  await engine.allEnded();
  assert.equal(events.filter(({ event }) => event === "task.claimed").length, taskIds.length);
  await engine.assertSound();
});

test("a node without a browser runs the plain tasks of an API platform while a node with one runs the screenshots", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const without = await engine.node(async () => answered, {
    leavesBrowserTasks: () => true,
  });
  const pictures = await engine.submit(account, 20, screenshot);
  await engine.submit(account, 20);
  await until("the plain tasks to end", async () => (await engine.states())["completed"] === 20);
  assert.equal((await engine.states())["pending"], 20);
  const withBrowser = await engine.node(async () => answered);
  await engine.allEnded();
  const claimedBy = ({ events }: typeof without) =>
    events.flatMap((event) => (event.event === "task.claimed" ? [event.taskId] : []));
  assert.deepEqual(claimedBy(withBrowser).toSorted(), pictures.toSorted());
  assert.equal(claimedBy(without).length, 20);
  await engine.assertSound();
});

test("what nodes say counts for a minute after they were heard of last; then what the last of all said", async () => {
  const { database } = await testDatabase();
  const [one, two] = [newId(), newId()];
  const say = (nodeId: string, why: string | null, alone = false) => reportBrowser(database, { nodeId, why }, alone);
  const age = (nodeId: string, seconds: number) =>
    database.query("update node_browsers set seen_at = now() - $2 * interval '1 second' where node_id = $1", [
      nodeId,
      seconds,
    ]);
  assert.equal(await readBrowserUsable(database), null, "nobody was ever heard of");

  await say(one, "none found");
  assert.equal(await readBrowserUsable(database), false);
  await say(two, null);
  assert.equal(await readBrowserUsable(database), true);
  assert.equal(isElsewhere(await browserElsewhere(database, one), "p"), true);
  assert.equal(isElsewhere(await browserElsewhere(database, two), "p"), false);

  await age(two, 50);
  assert.equal(await readBrowserUsable(database), true, "it may be starting anew");
  await age(two, 61);
  assert.equal(await readBrowserUsable(database), false, "it has gone");
  assert.equal(isElsewhere(await browserElsewhere(database, one), "p"), false);

  await age(one, 3600);
  await age(two, 1800);
  assert.equal(await readBrowserUsable(database), true, "nobody is there: the last one could");
  await age(one, 900);
  assert.equal(await readBrowserUsable(database), false, "nobody is there: the last one could not");

  await say(two, null);
  await say(two, "it was uninstalled");
  assert.equal(await readBrowserUsable(database), false, "a node that is there is believed at once");
  await say(two, null);
  await say(one, "none found", true);
  assert.equal(await readBrowserUsable(database), false, "the only process that there can be says no");
});
