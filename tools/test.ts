/**
 * npm test [-- PATTERN… | flags of node]      or npm run test:all, which includes the long tests
 *
 * Runs all `*.test.ts` except `*.long.test.ts` on a PostgreSQL started for this run, or on the server of TEST_DATABASE_URL. A pattern is a
 * folder, a file or a glob, and includes long tests. The tests of a cluster need the machine for themselves, and run by pattern only. Flags are passed to `node --test`, whose exit code is returned.
 *
 * Short files of one package share a process, except if a pattern names a file or a glob: then each file has a process of its own.
 */
import { spawn } from "node:child_process";
import {
  accessSync,
  chmodSync,
  constants as files,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { availableParallelism, constants, tmpdir } from "node:os";
import { join, sep } from "node:path";
import { startEmbedded } from "../service/src/db/embedded/index.ts";

const root = join(import.meta.dirname, "..");
/** The time limit of tests that set none, generous enough for much slower machines. */
const testTimeoutMs = 30 * 60_000;
/** The number of concurrent processes. Each waits for the database, a page or a process of its own most of the time. */
const concurrency = Math.min(12, 3 * availableParallelism());
/** The number of short files that share a process. */
const filesTogetherMax = 12;

/**
 * Flags that select tests by name. In a group, they would have to match the names of files too. Node runs a suite of which no test is
 * selected, but not its hooks, so the services and browsers that it started stay open: the process is ended once its tests have.
 */
const selectsTests = /^--test-(name-pattern|skip-pattern|only)/;

/** A file that awaits its own tests must not be in a group, where tests start when the whole file is loaded. */
const awaitsTests = /^(?:const .*= )?await (?:suite|describe|test|it)\(/m;

const memoryFolder = "/dev/shm";
/** Twice of what a run needs for its files. */
const memoryMin = 8 * 1024 ** 3;

const clusterTests = "service/test/cluster/";

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => stopping.abort(signal));
}
process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  const all = words.includes("--all");
  // The quick run has fewer cases of the property tests that take the longest.
  if (all) process.env["FUZZ_RUNS"] ??= "1500";
  const flags = words.filter((word) => word.startsWith("-") && word !== "--all");
  const patterns = words.filter((word) => !word.startsWith("-"));
  const files = findTests(patterns, all);
  if (files.length === 0) {
    console.error(`No test matches ${words.join(" ")}.`);
    return 1;
  }
  const folder = mkdtempSync(join(quickFolder(), "querent-test-"));
  try {
    const together = patterns.every(isFolder) && !flags.some((flag) => selectsTests.test(flag));
    return await run(together ? groupFiles(files, folder) : files, flags, folder);
  } finally {
    // Programs that have just got a signal may still write.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** The test files of the given folders, files and globs. By default all files, with long tests only if requested. */
function findTests(patterns: readonly string[], all: boolean): string[] {
  const globs = patterns.length === 0 ? ["*/test/**/*.test.ts"] : patterns.map(toGlob);
  return globSync(globs, { cwd: root, exclude: (name) => name.endsWith("node_modules") })
    .filter((file) => patterns.length > 0 || !file.startsWith(clusterTests))
    .filter((file) => all || patterns.length > 0 || !file.endsWith(".long.test.ts"))
    .sort();
}

/**
 * Replaces the short files of each package by modules that run neighbours together, which import much the same. The same files share a
 * process in every run, so that a test that depends on another file fails each time.
 */
function groupFiles(files: readonly string[], folder: string): string[] {
  const short = files.filter(
    (file) => !file.endsWith(".long.test.ts") && !awaitsTests.test(readFileSync(join(root, file), "utf8")),
  );
  const groups = [...Map.groupBy(short, packageOf).values()].flatMap((together) => {
    const size = Math.ceil(together.length / Math.ceil(together.length / filesTogetherMax));
    return Array.from({ length: Math.ceil(together.length / size) }, (_, group) =>
      together.slice(group * size, (group + 1) * size),
    );
  });
  const program = JSON.stringify(new URL("run-together.ts", import.meta.url).href);
  const modules = groups.map((together, index) => {
    const module = join(folder, `${String(index).padStart(3, "0")}.group.mjs`);
    writeFileSync(
      module,
      `import { runTogether } from ${program};\nrunTogether(${JSON.stringify(together, null, 2)});\n`,
    );
    return module;
  });
  return [...modules, ...files.filter((file) => !short.includes(file))];
}

function packageOf(file: string): string | undefined {
  return file.split(sep)[0];
}

function toGlob(pattern: string): string {
  return isFolder(pattern) ? `${pattern.replace(/\/$/, "")}/**/*.test.ts` : pattern;
}

function isFolder(pattern: string): boolean {
  return statSync(join(root, pattern), { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * A folder in memory if there is plenty of it, unless TMPDIR names another one. The tests create and delete a hundred thousand files, most of
 * them of databases, and ext4 looks at each inode that was freed in the last seconds before it takes another: creating a database takes up
 * to 0.3 s of processor time on disk, and 0.03 s in memory.
 */
function quickFolder(): string {
  try {
    if (process.env["TMPDIR"] !== undefined) return tmpdir();
    const { bavail, bsize } = statfsSync(memoryFolder);
    accessSync(memoryFolder, files.W_OK);
    return Math.min(bavail * bsize, process.availableMemory()) >= memoryMin ? memoryFolder : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Runs the files, and returns the exit code. Temporary files are in `folder`. */
async function run(files: readonly string[], flags: readonly string[], folder: string): Promise<number> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given !== undefined && given !== "") return runNode(files, flags, given, folder);
  // The database is deleted after the run, so it does not need to survive a power failure.
  await using postgres = await startEmbedded({
    dataDir: join(folder, "data"),
    settings: { fsync: false, full_page_writes: false, synchronous_commit: "off", max_connections: 300 },
  });
  const { host, user, port } = postgres.connection;
  const url = `postgresql://${user}@localhost:${port}/postgres?host=${encodeURIComponent(host)}`;
  return await runNode(files, flags, url, folder);
}

/**
 * Runs Node's test runner, and returns the exit code. Signals are forwarded to its process group, which includes the programs that tests have
 * started: a test that is aborted does not stop them.
 */
async function runNode(
  files: readonly string[],
  flags: readonly string[],
  databaseUrl: string,
  folder: string,
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
    ...(flags.some((flag) => selectsTests.test(flag)) ? ["--test-force-exit"] : []),
    ...flags,
    ...files,
  ];
  // Some tests run programs as another user.
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  chmodSync(temporary, 0o1777);
  chmodSync(folder, 0o711);
  const child = spawn(process.execPath, args, {
    cwd: root,
    detached: true,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      TMPDIR: temporary,
      TEST_DATABASE_URL: databaseUrl,
      TEST_FILE_TIMEOUT_MS: String(2 * timeoutMs),
    },
  });
  const stop = () => {
    const isRunning = child.exitCode === null && child.signalCode === null;
    if (isRunning && child.pid !== undefined) process.kill(-child.pid, stopping.signal.reason as NodeJS.Signals);
  };
  stopping.signal.addEventListener("abort", stop, { once: true });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}
