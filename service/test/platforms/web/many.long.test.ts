/**
 * Many tasks in a row leave nothing behind. The long run takes longer than a file of tests may otherwise:
 * `MANY_PAGES=200 npm test -- --test-timeout=1800000 service/test/platforms/web/many.long.test.ts`.
 */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { groupMemory } from "../../../src/browser/process-group.ts";
import { browserProcesses, runFolders, testPool } from "../../harness/browser.ts";
import { until } from "../../harness/wait.ts";
import { examplePage, platformOf, result } from "./fixture.ts";

const count = Number(process.env["MANY_PAGES"] ?? 12);
const { pool, events } = testPool({ after }, { tasksMax: count + 100, idleMs: 600_000 });
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test(`${count} tasks in a row: no context, page, process, connection or file is left, and memory is flat`, async (t) => {
  const page = await examplePage();
  const platform = platformOf(page.loaded(), pool);
  const four = (from: number) => Promise.all([0, 1, 2, 3].map((each) => result(platform, `Question ${from + each}`)));
  // What a browser keeps for good it has after its first tasks.
  await four(0);
  await four(4);
  const before = await measure();
  t.diagnostic(`before: ${told(before)}`);
  const started = performance.now();
  for (let done = 0; done < count; done += 4) {
    await four(done);
    if (done % 40 === 36) t.diagnostic(`${done + 4} tasks: ${told(await measure())}`);
  }
  const seconds = (performance.now() - started) / 1000;
  const now = await measure();
  t.diagnostic(`after ${count} tasks in ${seconds.toFixed(0)} s: ${told(now)}`);

  assert.equal(events.filter(({ event }) => event === "browser.started").length, 1);
  assert.equal(pool.inUse, 0);
  assert.equal(now.folders, 1);
  assert.ok(now.files <= before.files + filesMax, `${before.files} files became ${now.files}`);
  assert.ok(now.handles <= before.handles + 4, `${before.handles} open handles became ${now.handles}`);
  if (before.browserBytes !== null && now.browserBytes !== null) {
    const grown = now.browserBytes - before.browserBytes;
    assert.ok(grown < 100 * mb, `the browser grew by ${Math.round(grown / mb)} MB`);
  }
  assert.ok(
    now.heapBytes - before.heapBytes < 20 * mb,
    `the heap grew by ${(now.heapBytes - before.heapBytes) / mb} MB`,
  );
});

const mb = 1024 ** 2;
/** The browser's own databases rotate their files. */
const filesMax = 20;

/** Taken once the processes of pages that were closed have ended; one may stand ready for the next page. */
async function measure() {
  await until(
    "the end of the pages' processes",
    () => browserProcesses().filter(({ type }) => type === "renderer").length <= 2,
  );
  const processes = browserProcesses();
  const leader = processes.find(({ type }) => type === "browser");
  collectGarbage();
  return {
    processes: processes.length,
    browserBytes: leader === undefined ? null : await groupMemory(leader.pid),
    folders: runFolders().length,
    files: runFolders().flatMap((name) => readdirSync(join(tmpdir(), name), { encoding: "utf8", recursive: true }))
      .length,
    handles: process.getActiveResourcesInfo().length,
    heapBytes: process.memoryUsage().heapUsed,
  };
}

function told({ processes, browserBytes, files, handles, heapBytes }: Awaited<ReturnType<typeof measure>>): string {
  const browser = browserBytes === null ? "" : `, browser ${Math.round(browserBytes / mb)} MB`;
  return `heap ${Math.round(heapBytes / mb)} MB${browser}, ${processes} processes, ${files} files, ${handles} handles`;
}
