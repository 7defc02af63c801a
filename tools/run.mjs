/**
 * node tools/run.mjs [--quiet] [--dev] SCRIPT [ARGS…]      or --bin NAME [ARGS…] for a program of an installed package
 *
 * Installs Node 24 and the dependencies if necessary, then runs SCRIPT. `--dev` includes the development dependencies. `--quiet` prints
 * nothing about the installation unless standard error is a terminal.
 *
 * This file must run on Node 20 before anything is installed, so it is JavaScript without dependencies.
 */
import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeMajorMin } from "./find-node.mjs";
import { ensureInstalled } from "./install.mjs";
import { SetupError } from "./setup-error.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** A busy service creates many short-lived objects. With Node's default of 16 MB for young objects, an eighth of the CPU time was spent on collecting them. */
const nodeFlags = ["--disable-warning=ExperimentalWarning", "--max-semi-space-size=64"];

/** @param {readonly string[]} words */
export async function run(words) {
  try {
    const { flags, program, args } = parse(words);
    const quiet = flags.has("--quiet") && !process.stderr.isTTY;
    const node = await ensureInstalled({ root, dev: flags.has("--dev"), quiet });
    const script = flags.has("--bin") ? realpathSync(join(root, "node_modules", ".bin", program)) : resolve(program);
    start(node, script, args);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    process.exitCode = error.exitCode;
  }
}

/** @param {readonly string[]} words */
function parse(words) {
  const flags = new Set();
  let at = 0;
  while (["--quiet", "--dev", "--bin"].includes(words[at] ?? "")) flags.add(words[at++]);
  const program = words[at];
  if (program === undefined) throw new SetupError("Usage: node tools/run.mjs [--quiet] [--dev] SCRIPT [ARGS…]", 2);
  return { flags, program, args: words.slice(at + 1) };
}

/**
 * Replaces this process with the script if Node supports it (execve, 22.15 and newer), so that signals reach it directly. An older Node
 * remains as its parent, forwards signals, and exits with its exit code.
 */
function start(node, script, args) {
  const words = [...nodeFlags, "--import", new URL("signals-once.mjs", import.meta.url).href, script, ...args];
  // The cache of compiled code saves a quarter of the CPU time of a start (2.7 to 2.0 s). If its folder is not writable, Node ignores it. Its
  // keys are paths relative to it, so that a checkout that was moved or copied still has its code.
  const env = {
    NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled"),
    NODE_COMPILE_CACHE_PORTABLE: "1",
    ...process.env,
  };
  if (typeof process.execve === "function") {
    process.removeAllListeners("warning");
    process.execve(node, [node, ...words], env);
  }
  // Before `spawn`: on a busy machine, the script may already run, and a signal arrive, when it returns.
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  const child = spawn(node, words, { stdio: "inherit", env });
  child.once("error", (error) => {
    console.error(
      `Cannot run ${node}: ${error.message}. On Linux without glibc, install Node ${nodeMajorMin} yourself.`,
    );
    process.exitCode = 1;
  });
  child.once("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
    // For a signal that does not end this process, such as SIGCHLD, returns the exit code that a shell would use.
    setTimeout(() => process.exit(128 + constants.signals[signal]), 1000);
  });
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await run(process.argv.slice(2));
}
