/** Browsers that run elsewhere: started here by hand, spoken to over their DevTools port. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test, type TestContext } from "node:test";
import { unpack } from "../../src/browser/bundled-chromium.ts";
import { BrowserLostError, findBrowsers } from "../../src/browser/index.ts";
import { browserSettings, testPool } from "../harness/browser.ts";
import { until } from "../harness/wait.ts";

const never = new AbortController().signal;
const reach = { hosts: ["127.0.0.1"] };

interface RemoteBrowser {
  readonly endpoint: string;
  kill(): void;
}

async function startRemote(t: TestContext): Promise<RemoteBrowser> {
  const { programs } = await findBrowsers(browserSettings);
  const program = programs[0];
  assert.ok(program !== undefined);
  const { path, folder } =
    "packed" in program
      ? await unpack(program, browserSettings.cacheDir, () => undefined)
      : { path: program.path, folder: null };
  const profile = mkdtempSync(join(tmpdir(), "querent-remote-"));
  const child = spawn(
    path,
    ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", `--user-data-dir=${profile}`].concat(
      // Or it is busy for seconds with names it can't look up.
      ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
    ),
    {
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, HOME: profile, ...(folder === null ? {} : { LD_LIBRARY_PATH: join(folder, "lib") }) },
    },
  );
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const kill = () => {
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // Gone already.
    }
  };
  t.after(async () => {
    kill();
    await exited;
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });
  const endpoint = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      said += part;
      const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error(said)));
  });
  // It says where it listens before it can answer, on a busy machine seconds before.
  await fetch(`http://${new URL(endpoint).host}/json/version`);
  return { endpoint, kill };
}

suite("a fleet of browsers", () => {
  test("shares the tasks, guards each context, and goes on with those that are left", async (t) => {
    const server = createServer((_request, response) => response.end("<title>A page</title>"));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    t.after(() => server.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [one, two] = [await startRemote(t), await startRemote(t)];
    const settings = { ...browserSettings, path: null, endpoints: [one.endpoint, two.endpoint] };
    const { pool, events } = testPool(t, { settings });
    const title = () =>
      pool.withContext(never, { reach }, async ({ context }) => {
        const page = await context.newPage();
        await page.goto(origin);
        return page.title();
      });
    assert.deepEqual(await Promise.all([title(), title(), title(), title()]), Array(4).fill("A page"));
    assert.equal(events.filter(({ event }) => event === "browser.connected").length, 2);

    const refused = await pool.withContext(never, { reach: "nothing" }, async ({ context }) => {
      const page = await context.newPage();
      return (await page.goto(origin))?.status();
    });
    assert.equal(refused, 403);

    const atWork = Promise.allSettled(
      [0, 1].map(() =>
        pool.withContext(never, { reach }, async ({ context }) => {
          const page = await context.newPage();
          await page.goto(origin);
          one.kill();
          await page.waitForTimeout(1500);
          return page.title();
        }),
      ),
    );
    const ends = await atWork;
    assert.equal(ends.filter((end) => end.status === "rejected" && end.reason instanceof BrowserLostError).length, 1);
    assert.equal(ends.filter((end) => end.status === "fulfilled").length, 1);
    assert.deepEqual(await Promise.all([title(), title()]), ["A page", "A page"]);
    assert.ok(events.some(({ event }) => event === "browser.endpoint_down"));
  });

  const own = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
  test("asks for its proxies' password where others could connect to them", { skip: own === undefined }, async (t) => {
    const server = createServer((_request, response) => response.end("<title>A page</title>"));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    t.after(() => server.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { pool } = testPool(t, {
      settings: { ...browserSettings, endpoints: [(await startRemote(t)).endpoint], proxyHost: own ?? "" },
    });
    const seen = await pool.withContext(never, { reach }, async ({ context }) => {
      const page = await context.newPage();
      await page.goto(origin);
      return page.title();
    });
    assert.equal(seen, "A page");
  });

  test("can be used while one of them answers, and says of each why it does not", async (t) => {
    const [dead, alive] = ["ws://127.0.0.1:9/secret", await startRemote(t)] as const;
    const usable: (string | null)[] = [];
    const onUsable = (why: string | null) => void usable.push(why);
    const { pool } = testPool(t, { settings: { ...browserSettings, endpoints: [dead, alive.endpoint] }, onUsable });
    assert.equal(await pool.check(never), null);
    alive.kill();
    const why = await until("the end to be noticed", () => pool.check(never));
    assert.match(
      why,
      /^None of the browsers of QUERENT_BROWSER_ENDPOINTS answers\. 127\.0\.0\.1:9: .+; 127\.0\.0\.1:\d+: /,
    );
    assert.doesNotMatch(why, /secret/);
    assert.deepEqual(usable, [null]);
  });

  test("none that answers is a loss that says so, and no attempt", async (t) => {
    const { pool } = testPool(t, { settings: { ...browserSettings, endpoints: ["ws://127.0.0.1:9/"] } });
    await assert.rejects(
      pool.withContext(never, { reach }, () => Promise.resolve()),
      (error) => error instanceof BrowserLostError && /QUERENT_BROWSER_ENDPOINTS/.test(error.message),
    );
  });
});
