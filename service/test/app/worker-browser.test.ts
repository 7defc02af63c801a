/** What a worker tells the others of its browser. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { WorkerBrowser } from "../../src/app/worker-browser.ts";
import { registerNode } from "../../src/dispatch/node/nodes.ts";
import { browserElsewhere, readBrowserUsable } from "../../src/dispatch/node/node-platforms.ts";
import { testDatabase } from "../harness/database.ts";
import { until } from "../harness/wait.ts";

test("a browser that ran a moment ago counts for all workers while it is started again; one that never started does not", async () => {
  const { database } = await testDatabase();
  const node = () => registerNode(database, { name: "n", version: "0", leaseTtlMs: 3_600_000 });
  const [nodeId, other] = [await node(), await node()];
  const faults: unknown[] = [];
  const browser = new WorkerBrowser({
    database,
    pool: { check: async () => "no program was found", warmUp: async () => undefined },
    alone: false,
    onEvent: () => undefined,
    onFault: (error) => faults.push(error),
  });
  const reported = async () =>
    (await database.query<{ usable: boolean; seen_at: Date }>("select usable, seen_at from node_browsers")).rows[0];
  browser.look({ nodeId: () => nodeId, onChange: () => undefined });
  await until("its first report", async () => (await reported())?.usable === false);
  assert.deepEqual(await browserElsewhere(database, other), new Set());

  browser.note(null);
  await until("the report of a start", async () => (await reported())?.usable === true);
  const { seen_at: before } = (await reported()) ?? assert.fail();
  browser.note("It exited immediately.");
  assert.equal(browser.isUsable(), false);
  await until("the report of a failed start", async () => ((await reported())?.seen_at ?? before) > before);
  assert.equal(await browserElsewhere(database, other), "all");
  assert.equal(await readBrowserUsable(database), true);
  assert.equal(browser.areLeft("p"), true, "it takes no task that needs one meanwhile");
  await browser.stop();
  assert.deepEqual(faults, []);
});
