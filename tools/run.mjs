/**
 * node tools/run.mjs [--quiet] [--dev] SCRIPT [ARGS…]      or --bin NAME [ARGS…] for a program of an installed package
 *
 * From a bare clone to a running script: makes sure that Node 24 and the dependencies are installed, then runs SCRIPT. `--dev` asks for the
 * development dependencies too; `--quiet` says nothing about installing unless standard error is a terminal.
 *
 * This file runs on any Node from 20 on before anything is installed, so it is plain JavaScript without a dependency.
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
/** A busy service makes many objects that live for milliseconds: with Node's default of 16 MB for young objects, an eighth of its time went on collecting them. */
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
 * Becomes the script where this Node can (execve: 22.15 and newer), so that nothing stands between it and its signals. An older one
 * stays as its parent, passes signals on, and ends as it ends.
 */
function start(node, script, args) {
  const words = [...nodeFlags, "--import", new URL("signals-once.mjs", import.meta.url).href, script, ...args];
  // Compiled code, types stripped, is kept for the next time, which saves a quarter of a start's processor time (2.7 to 2.0 s). Where the
  // folder can't be written, Node goes without.
  const env = { NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled"), ...process.env };
  if (typeof process.execve === "function") {
    process.removeAllListeners("warning");
    process.execve(node, [node, ...words], env);
  }
  const child = spawn(node, words, { stdio: "inherit", env });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.once("error", (error) => {
    console.error(
      `Can't run ${node}: ${error.message}. On a Linux without glibc, install Node ${nodeMajorMin} yourself.`,
    );
    process.exitCode = 1;
  });
  child.once("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
    // A signal that this process can't die of, such as SIGCHLD: what a shell would say.
    setTimeout(() => process.exit(128 + constants.signals[signal]), 1000);
  });
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await run(process.argv.slice(2));
}
