/** Starts, stops and mistakes of an operator, each with one or several processes of querentd. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { PlatformList, Problem } from "@querent/contract";
import { emptyDatabase } from "../harness/database.ts";
import { runCommand, startServiceProcess, temporaryFolder } from "../harness/process.ts";
import { until } from "../harness/wait.ts";

test("a stop that goes well logs no error, however many connections to the database are open", async () => {
  using folder = temporaryFolder();
  const token = "token-of-the-stop-test-x";
  const service = await startServiceProcess({ QUERENT_DATA_DIR: folder.path, QUERENT_ACCESS_TOKEN: token });
  const headers = { authorization: `Bearer ${token}` };
  const replies = await Promise.all(
    Array.from({ length: 60 }, () => fetch(`${service.address}/v1/overview`, { headers }).then(({ status }) => status)),
  );
  assert.ok(replies.every((status) => status === 200));
  assert.equal(await service.end("SIGTERM"), 0);
  assert.doesNotMatch(service.output(), /57P01|"level":"(error|fatal)"|idle connection/);
});

test("after a stop nothing is left running, and after a SIGKILL the next start recovers by itself", async () => {
  using folder = temporaryFolder();
  const environment = { QUERENT_DATA_DIR: folder.path, QUERENT_ACCESS_TOKEN: "token-of-the-start-test" };
  const killed = await startServiceProcess(environment);
  const postmaster = Number(readFileSync(`${folder.path}/postgres/data/postmaster.pid`, "utf8").split("\n")[0]);
  await killed.end("SIGKILL");
  const again = await startServiceProcess(environment);
  assert.equal((await fetch(`${again.address}/readyz`)).status, 200);
  assert.equal(await again.end("SIGTERM"), 0);
  await until("the first postmaster to be gone", () => !isAlive(postmaster));
  assert.throws(
    () => readFileSync(`${folder.path}/postgres/data/postmaster.pid`),
    { code: "ENOENT" },
    "PostgreSQL was stopped",
  );
});

test("a second start on one data folder says who has it and leaves; the first goes on", async () => {
  using folder = temporaryFolder();
  const environment = { QUERENT_DATA_DIR: folder.path };
  const first = await startServiceProcess(environment);
  const second = await runCommand({ ...environment, QUERENT_PORT: "0" }, ["serve"]);
  assert.equal(second.code, 1);
  assert.match(second.stderr, /^querentd: The data folder .* is in use by .*\n$/);
  assert.ok(second.stderr.includes(String(first.child.pid)));
  assert.ok(second.stderr.includes(first.address));
  assert.equal((await fetch(`${first.address}/readyz`)).status, 200);
  assert.equal(await first.end("SIGTERM"), 0);
});

test("a command on a folder that has no database makes none, and names the folder, the variable and the way out", async () => {
  using folder = temporaryFolder();
  const wrong = join(folder.path, "wrong");
  for (const words of [
    ["account", "list"],
    ["token", "create", "--account", "default"],
    ["evidence-key", "list"],
    ["doctor"],
  ]) {
    const { code, stdout, stderr } = await runCommand({ QUERENT_DATA_DIR: wrong }, words);
    assert.equal(code, 1, stdout + stderr);
    assert.ok(
      (stdout + stderr).includes(`There is no Querent database in ${wrong} (named by QUERENT_DATA_DIR)`),
      stderr,
    );
    assert.match(stdout + stderr, /`querentd migrate`/);
    assert.ok(!existsSync(wrong), "the folder was not made either");
  }
  const { url } = await emptyDatabase();
  const { code, stderr } = await runCommand({ QUERENT_DATA_DIR: wrong, DATABASE_URL: url }, ["account", "list"]);
  assert.equal(code, 1);
  assert.match(stderr, /no tables of Querent in the database that DATABASE_URL names/);
});

test("a misspelt command is told as such, with the one that was meant, and ends with 2", async () => {
  using folder = temporaryFolder();
  for (const [words, said] of [
    [["acount", "list"], /unknown command 'acount'\. Did you mean account\?/],
    [["account", "lst"], /unknown command 'lst'.*Did you mean list\?/s],
    [["zebra"], /unknown command 'zebra'\.\n/],
    [["--roles"], /argument missing/],
    [["token", "create"], /--account/],
  ] as const) {
    const { code, stderr } = await runCommand({ QUERENT_DATA_DIR: folder.path }, words);
    assert.equal(code, 2, stderr);
    assert.match(stderr, said);
    assert.doesNotMatch(stderr, /too many arguments|\n {4}at /);
  }
});

/** A process that has ended stays in the table until somebody asks how; as an orphan of a container's first process, maybe for ever. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

test("without a browser, the first start, the list and the refusal say that the stand-ins need one, and which command tells more", async () => {
  using folder = temporaryFolder();
  const service = await startServiceProcess({
    QUERENT_DATA_DIR: folder.path,
    QUERENT_BROWSER_PATH: "/nowhere/chromium",
  });
  const token = /^(qrt_[A-Za-z0-9_-]{43})$/m.exec(service.output())?.[1] ?? assert.fail();
  await until("the banner", () => service.output().includes("This process can use no browser"));
  assert.match(service.output(), /asks no platform that is a web page, nor its stand-in/);
  assert.match(service.output(), /Install Chrome or Chromium, for example with `apt-get install chromium`/);
  const call = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, "idempotency-key": "k", "content-type": "application/json" };
    return (await fetch(`${service.address}${path}`, { ...init, headers })).json();
  };
  const why =
    "This platform is a web page, and no worker of this service has a browser that works. Tasks for it are accepted again once one has.";
  await until("the list to know", async () => {
    const { platforms } = (await call("/v1/platforms")) as PlatformList;
    const page = platforms.find(({ platformCode }) => platformCode === "gemini-web");
    return page?.configured === false && page.standIn && page.setUp?.reason === why;
  });
  const body = JSON.stringify([{ question: "Why?", platformCode: "gemini-web", options: {} }]);
  const refusal = (await call("/v1/tasks/batch", { method: "POST", body })) as Problem;
  const detail = `${why} To set it up, the operator runs: querentd doctor`;
  assert.deepEqual(refusal.errors, [{ pointer: "/0/platformCode", code: "browser_unavailable", detail }]);
  assert.equal(await service.end("SIGTERM"), 0);
});
