/**
 * npm test [-- PATTERN… | node's own flags]
 *
 * Runs every `*.test.ts` on a PostgreSQL made for this run, or on the one that TEST_DATABASE_URL names. A pattern is a folder, a file or a glob;
 * flags go to `node --test` as they are. The exit code is the tests'.
 */
import { spawn } from "node:child_process";
import { globSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { availableParallelism, constants, tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../service/src/db/index.ts";

const root = join(import.meta.dirname, "..");
/** A file that takes longer hangs. */
const timeoutMs = 180_000;
/** A file whose process never ends is not caught by that: the whole run has an end too. */
const runMs = 30 * 60_000;
/** Test files at once. Each has a database and a process of its own, and many of them wait more than they work. */
const concurrency = Math.max(2, Math.min(8, availableParallelism()));

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => stopping.abort(signal));
}
process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  const flags = words.filter((word) => word.startsWith("-"));
  const files = findTests(words.filter((word) => !word.startsWith("-")));
  if (files.length === 0) {
    console.error(`No test matches ${words.join(" ")}.`);
    return 1;
  }
  const given = process.env["TEST_DATABASE_URL"];
  if (given !== undefined && given !== "") return run(files, flags, given);

  const folder = mkdtempSync(join(tmpdir(), "querent-test-"));
  try {
    // Nothing of it outlives the run, so nothing of it need survive a power cut; commits and locks are as they always are.
    await using postgres = await startEmbedded({
      dataDir: folder,
      settings: { fsync: false, full_page_writes: false, synchronous_commit: "off", max_connections: 300 },
    });
    const { host, user, port } = postgres.connection;
    return await run(files, flags, `postgresql://${user}@localhost:${port}/postgres?host=${encodeURIComponent(host)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Test files of the given folders, files and globs, or of every room. */
function findTests(patterns: readonly string[]): string[] {
  const globs = patterns.length === 0 ? ["*/test/**/*.test.ts"] : patterns.map(toGlob);
  return globSync(globs, { cwd: root, exclude: (name) => name.endsWith("node_modules") }).sort();
}

function toGlob(pattern: string): string {
  const stats = statSync(join(root, pattern), { throwIfNoEntry: false });
  return stats?.isDirectory() === true ? `${pattern.replace(/\/$/, "")}/**/*.test.ts` : pattern;
}

/** Runs node's test runner, hands on a signal, and returns the exit code. */
async function run(files: readonly string[], flags: readonly string[], databaseUrl: string): Promise<number> {
  if (stopping.signal.aborted) return 130;
  const args = [
    "--disable-warning=ExperimentalWarning",
    "--import",
    new URL("fuzz-seed.ts", import.meta.url).href,
    "--test",
    "--test-reporter=spec",
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${timeoutMs}`,
    ...flags,
    ...files,
  ];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, TEST_DATABASE_URL: databaseUrl },
  });
  const stop = () => child.kill(stopping.signal.reason as NodeJS.Signals);
  stopping.signal.addEventListener("abort", stop, { once: true });
  const limit = setTimeout(() => {
    console.error(`The tests have not ended within ${runMs / 60_000} minutes, and are stopped.`);
    stopping.abort("SIGTERM");
  }, runMs);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      clearTimeout(limit);
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
