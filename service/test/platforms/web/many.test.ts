/** Many tasks in a row leave nothing behind. `MANY_PAGES=200 npm test -- service/test/platforms/web/many.test.ts` is the long run. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { groupMemory } from "../../../src/browser/group-memory.ts";
import { browserProcesses, runFolders, testPool } from "../../harness/browser.ts";
import { until } from "../../harness/wait.ts";
import { examplePage, platformOf, result } from "./fixture.ts";

const count = Number(process.env["MANY_PAGES"] ?? 12);
const { pool, events } = testPool({ after }, { tasksMax: count + 100, idleMs: 600_000 });

test(
  `${count} tasks in a row: no context, page, process or file is left, and memory is flat`,
  { timeout: 40 * 60_000 },
  async () => {
    const page = await examplePage();
    const platform = platformOf(page.loaded(), pool);
    // What a browser keeps for good it has after its first tasks.
    for (let task = 0; task < 4; task++) await result(platform, `Question ${task}`);
    const before = await measure();
    for (let done = 0; done < count; done += 4) {
      await Promise.all([0, 1, 2, 3].map((each) => result(platform, `Question ${done + each}`)));
    }
    const now = await measure();
    assert.equal(events.filter(({ event }) => event === "browser.started").length, 1);
    assert.equal(pool.inUse, 0);
    // One may stand ready for the next page, and the last ones may still be ending.
    await until("the end of the pages' processes", async () => (await measure()).renderers <= 2);
    assert.equal(now.folders, 1);
    assert.ok(now.files <= before.files, `${before.files} files became ${now.files}`);
    if (before.browserBytes !== null && now.browserBytes !== null) {
      const grown = now.browserBytes - before.browserBytes;
      assert.ok(grown < 100 * 1024 ** 2, `the browser grew by ${Math.round(grown / 1024 ** 2)} MB`);
      console.log(
        `browser ${mb(before.browserBytes)} -> ${mb(now.browserBytes)} MB, heap ${mb(before.heap)} -> ${mb(now.heap)} MB`,
      );
    }
    assert.ok(now.heap - before.heap < 40 * 1024 ** 2, `the heap grew by ${mb(now.heap - before.heap)} MB`);
  },
);

async function measure() {
  const processes = browserProcesses();
  const leader = processes.find(({ type }) => type === "browser");
  globalThis.gc?.();
  return {
    renderers: processes.filter(({ type }) => type === "renderer").length,
    browserBytes: leader === undefined ? null : await groupMemory(leader.pid),
    folders: runFolders().length,
    files: runFolders().flatMap((name) => readdirSync(join(tmpdir(), name))).length,
    heap: process.memoryUsage().heapUsed,
  };
}

const mb = (bytes: number) => Math.round(bytes / 1024 ** 2);
