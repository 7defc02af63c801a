import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { BrowserLostError, BrowserMissingError, BrowserPool } from "../../src/browser/index.ts";
import {
  browserProcesses,
  browserSettings,
  nothingLeft,
  runFolders,
  testPool,
  wrapperOfChromium,
} from "../harness/browser.ts";
import { until } from "../harness/wait.ts";

const never = new AbortController().signal;
const server = createServer((_request, response) => response.end("<title>A page</title>"));
let origin = "";
before(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close());
const reach = { hosts: ["127.0.0.1"] };

suite("the pool of browsers", () => {
  test("starts nothing before the first task", async (t) => {
    const { events } = testPool(t);
    assert.deepEqual(events, []);
    assert.deepEqual(browserProcesses(), []);
    assert.deepEqual(runFolders(), []);
    await nothingLeft();
  });

  test("gives each task a context of its own, and nothing of it to the next", async (t) => {
    const { pool } = testPool(t);
    const visit = (cookie: string) =>
      pool.withContext(never, { reach }, async ({ context }) => {
        const page = await context.newPage();
        await page.goto(origin);
        const before = await page.evaluate("document.cookie + (localStorage.kept ?? '')");
        await page.evaluate(`document.cookie = "a=${cookie}"; localStorage.kept = "${cookie}"`);
        return before;
      });
    assert.deepEqual(await Promise.all([visit("1"), visit("2"), visit("3")]), ["", "", ""]);
    assert.equal(await visit("4"), "");
    assert.equal(pool.inUse, 0);
  });

  test("runs no more at once than it may, and in the order of their coming", async (t) => {
    const { pool } = testPool(t, { settings: { ...browserSettings, contextsMax: 2 } });
    const order: number[] = [];
    let most = 0;
    await Promise.all(
      [1, 2, 3, 4, 5].map((number) =>
        pool.withContext(never, { reach }, async ({ context }) => {
          order.push(number);
          most = Math.max(most, pool.inUse);
          await (await context.newPage()).goto(origin);
        }),
      ),
    );
    assert.equal(most, 2);
    assert.equal(order.length, 5);
    assert.deepEqual(order.slice(2), [3, 4, 5]);
  });

  test("tells those at work that their browser was killed, and gives the next ones a new one", async (t) => {
    const { pool, events } = testPool(t);
    let opened = 0;
    const atWork = Promise.all(
      [1, 2, 3].map(() =>
        assert.rejects(
          pool.withContext(never, { reach }, async ({ context }) => {
            const page = await context.newPage();
            await page.goto(origin);
            opened++;
            await page.waitForSelector("#never-there", { timeout: 600_000 });
          }),
          BrowserLostError,
        ),
      ),
    );
    const leader = await until("three pages at work", () =>
      opened === 3 ? browserProcesses().find(({ type }) => type === "browser") : null,
    );
    process.kill(leader.pid, "SIGKILL");
    await atWork;
    assert.equal(
      await pool.withContext(never, { reach }, async ({ context }) => {
        const page = await context.newPage();
        await page.goto(origin);
        return page.title();
      }),
      "A page",
    );
    assert.equal(events.filter(({ event }) => event === "browser.started").length, 2);
    assert.equal(events.filter(({ event }) => event === "browser.lost").length, 1);
  });

  test("browsers run below the priority of the service", async (t) => {
    const { pool } = testPool(t);
    await pool.withContext(never, { reach }, async ({ context }) => {
      await (await context.newPage()).goto(origin);
      const priorities = browserProcesses().map(({ pid, type }) => ({ type, priority: getPriority(pid) }));
      assert.ok(priorities.some(({ type }) => type === "renderer"));
      assert.deepEqual(
        priorities.filter(({ priority }) => priority < 5),
        [],
      );
    });
  });

  test("tells whose page's process ended, and no other", async (t) => {
    const { pool } = testPool(t);
    const other = pool.withContext(never, { reach }, async ({ context }) => {
      const page = await context.newPage();
      await page.goto(origin);
      await page.waitForFunction("window.goOn", undefined, { timeout: 300 }).catch(() => undefined);
      return page.title();
    });
    await assert.rejects(
      pool.withContext(never, { reach }, async ({ context }) => {
        const page = await context.newPage();
        const session = await context.newCDPSession(page);
        await session.send("Page.crash").catch(() => undefined);
        await page.waitForSelector("#never-there", { timeout: 600_000 });
      }),
      BrowserLostError,
    );
    assert.equal(await other, "A page");
  });

  test("stops at the signal, and leaves no page behind", async (t) => {
    const { pool } = testPool(t);
    const stop = new AbortController();
    const stopped = pool.withContext(stop.signal, { reach }, async ({ context }) => {
      const page = await context.newPage();
      await page.goto(origin);
      stop.abort(new Error("enough"));
      await page.waitForSelector("#never-there", { timeout: 600_000 });
    });
    await assert.rejects(stopped, /enough/);
    assert.equal(pool.inUse, 0);
  });

  test("replaces a browser after so many tasks, without disturbing those at work", async (t) => {
    const { pool, events } = testPool(t, { tasksMax: 2 });
    for (let task = 0; task < 5; task++) {
      await pool.withContext(never, { reach }, async ({ context }) => {
        await (await context.newPage()).goto(origin);
      });
    }
    assert.equal(events.filter(({ event }) => event === "browser.started").length, 3);
    await until(
      "one browser at the most",
      () => browserProcesses().filter(({ type }) => type === "browser").length <= 1,
    );
  });

  test("replaces one that has taken more memory than it may", async (t) => {
    const { pool, events } = testPool(t, { memoryBytesMax: 1 });
    await pool.withContext(never, { reach }, async ({ context }) => {
      await (await context.newPage()).goto(origin);
    });
    assert.deepEqual(
      events.flatMap((event) => (event.event === "browser.retired" ? [event.why] : [])),
      process.platform === "linux" ? ["memory"] : [],
    );
  });

  test("ends a browser that nobody has used for a while", async (t) => {
    const { pool, events } = testPool(t, { idleMs: 50 });
    await pool.withContext(never, { reach }, async ({ context }) => {
      await (await context.newPage()).goto(origin);
    });
    await nothingLeft();
    assert.equal(events.at(-1)?.event, "browser.retired");
  });

  test("says what it looked for when there is no browser", async () => {
    const settings = { ...browserSettings, path: "/nowhere/chromium" };
    const pool = new BrowserPool({ settings, onEvent: () => undefined });
    await assert.rejects(
      pool.withContext(never, { reach }, () => Promise.resolve()),
      (error) => error instanceof BrowserMissingError && /QUERENT_BROWSER_PATH.*no such file/.test(error.message),
    );
    await pool.close();
  });

  test("finds that a program runs without starting a browser, and names each that does not", async (t) => {
    const { pool, events } = testPool(t);
    assert.equal(await pool.check(never), null);
    assert.deepEqual(events, []);
    const whyNot = async (path: string) => testPool(t, { settings: { ...browserSettings, path } }).pool.check(never);
    assert.match((await whyNot("/nowhere/chromium")) ?? "", /QUERENT_BROWSER_PATH .*: there is no such file/);
    assert.match((await whyNot("/bin/false")) ?? "", /\/bin\/false: `--version` ended with exit code 1/);
  });

  test("looks anew when the program that worked has gone, and finds it again when it is back", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "querent-program-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "chromium");
    const install = () => writeFileSync(path, programScript, { mode: 0o755 });
    const programScript = await wrapperOfChromium();
    install();
    const usable: (string | null)[] = [];
    const { pool } = testPool(t, {
      settings: { ...browserSettings, path },
      idleMs: 1,
      onUsable: (why) => void usable.push(why),
    });
    const work = () => pool.withContext(never, { reach }, () => Promise.resolve());
    await work();
    await until("the end of the idle browser", () => browserProcesses().length === 0);
    rmSync(path);
    await assert.rejects(work(), BrowserMissingError);
    assert.match((await pool.check(never)) ?? "", /there is no such file/);
    install();
    assert.equal(await pool.check(never), null);
    await work();
    assert.deepEqual(
      usable.map((why) => why === null),
      [true, false, false, true],
    );
  });

  test("ends works under way when it is closed", async (t) => {
    const { pool } = testPool(t);
    const work = assert.rejects(
      pool.withContext(never, { reach }, async ({ context }) => {
        const page = await context.newPage();
        await page.goto(origin);
        closing.resolve();
        await page.waitForSelector("#never-there", { timeout: 600_000 });
      }),
      BrowserLostError,
    );
    const closing = Promise.withResolvers<void>();
    await closing.promise;
    await pool.close();
    await work;
    await nothingLeft();
  });

  for (const [what, isAborted] of [
    ["when its only task is aborted while a browser is being started", true],
    ["while a browser is being started", false],
  ] as const) {
    test(`leaves nothing behind when it is closed ${what}`, async (t) => {
      const { pool, events } = testPool(t);
      const stop = new AbortController();
      const work = assert.rejects(pool.withContext(stop.signal, { reach }, () => Promise.resolve()));
      await until("the folder of a browser that is being started", () => runFolders().length > 0);
      assert.deepEqual(events, []);
      if (isAborted) {
        stop.abort(new Error("canceled"));
        await work;
      }
      await pool.close();
      await work;
      assert.deepEqual(browserProcesses(), []);
      assert.deepEqual(runFolders(), []);
      assert.equal(events.filter(({ event }) => event === "browser.started").length, 1);
    });
  }
});
