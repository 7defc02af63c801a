/**
 * npm test [-- PATTERN… | node's own flags]      or npm run test:all, with those that take long
 *
 * Runs every `*.test.ts` but `*.long.test.ts` on a PostgreSQL made for this run, or on the one that TEST_DATABASE_URL names. A pattern is a
 * folder, a file or a glob, and runs all that it matches; flags go to `node --test` as they are. The exit code is the tests'.
 */
import { spawn } from "node:child_process";
import { globSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { availableParallelism, constants, tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../service/src/db/embedded/index.ts";

const root = join(import.meta.dirname, "..");
/** A test that takes longer hangs, also on a machine several times slower than ours. One that may take longer says so itself. */
const testTimeoutMs = 15 * 60_000;
/** Test files at once. Each has a database and a process of its own, and half of its time it waits. */
const concurrency = Math.min(8, 2 * availableParallelism());

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => stopping.abort(signal));
}
process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  const all = words.includes("--all");
  const flags = words.filter((word) => word.startsWith("-") && word !== "--all");
  const files = findTests(
    words.filter((word) => !word.startsWith("-")),
    all,
  );
  if (files.length === 0) {
    console.error(`No test matches ${words.join(" ")}.`);
    return 1;
  }
  const folder = mkdtempSync(join(tmpdir(), "querent-test-"));
  try {
    return await run(files, flags, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Test files of the given folders, files and globs; or of every room, those that take long only when all are asked for. */
function findTests(patterns: readonly string[], all: boolean): string[] {
  const globs = patterns.length === 0 ? ["*/test/**/*.test.ts"] : patterns.map(toGlob);
  return globSync(globs, { cwd: root, exclude: (name) => name.endsWith("node_modules") })
    .filter((file) => all || patterns.length > 0 || !file.endsWith(".long.test.ts"))
    .sort();
}

function toGlob(pattern: string): string {
  const stats = statSync(join(root, pattern), { throwIfNoEntry: false });
  return stats?.isDirectory() === true ? `${pattern.replace(/\/$/, "")}/**/*.test.ts` : pattern;
}

/** Runs the files, and returns the exit code. What is made for the run is in `folder`. */
async function run(files: readonly string[], flags: readonly string[], folder: string): Promise<number> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given !== undefined && given !== "") return runNode(files, flags, folder, given);
  // Nothing of it outlives the run, so nothing of it need survive a power cut; commits and locks are as they always are.
  await using postgres = await startEmbedded({
    dataDir: join(folder, "data"),
    settings: { fsync: false, full_page_writes: false, synchronous_commit: "off", max_connections: 300 },
  });
  const { host, user, port } = postgres.connection;
  const url = `postgresql://${user}@localhost:${port}/postgres?host=${encodeURIComponent(host)}`;
  return await runNode(files, flags, folder, url);
}

/** Runs node's test runner, hands on a signal, and returns the exit code. */
async function runNode(
  files: readonly string[],
  flags: readonly string[],
  folder: string,
  databaseUrl: string,
): Promise<number> {
  if (stopping.signal.aborted) return 130;
  const reporters = ["spec", new URL("slowest.ts", import.meta.url).href];
  const timeoutMs = Number(
    flags.findLast((flag) => flag.startsWith("--test-timeout="))?.split("=")[1] ?? testTimeoutMs,
  );
  const args = [
    "--disable-warning=ExperimentalWarning",
    "--import",
    new URL("before-each-file.ts", import.meta.url).href,
    "--test",
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${timeoutMs}`,
    ...(flags.some((flag) => flag.startsWith("--test-reporter"))
      ? []
      : reporters.flatMap((reporter) => [`--test-reporter=${reporter}`, "--test-reporter-destination=stdout"])),
    ...flags,
    ...files,
  ];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      TEST_DATABASE_URL: databaseUrl,
      TEST_FILE_TIMEOUT_MS: String(2 * timeoutMs),
      // Half of what a file takes to begin is the compiling of what it imports.
      NODE_COMPILE_CACHE: join(folder, "compiled"),
    },
  });
  const stop = () => child.kill(stopping.signal.reason as NodeJS.Signals);
  stopping.signal.addEventListener("abort", stop, { once: true });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}
