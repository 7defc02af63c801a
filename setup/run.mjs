/**
 * node setup/run.mjs [--quiet] [--dev] SCRIPT [ARGS…]      or --bin NAME [ARGS…] for a program of an installed package
 *
 * From a bare clone to a running script: makes sure that the dependencies are installed, then runs SCRIPT with Node 24. `--dev` asks for the
 * development dependencies too; `--quiet` keeps silent about installing unless somebody watches.
 *
 * This file runs on whatever Node there is (18 or newer) before anything is installed, so it is plain JavaScript without a dependency.
 */
import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled, SetupError } from "./install.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const nodeMajorMin = 24;
/** A busy service makes many objects that live for milliseconds: with Node's 16 MB for the young ones, an eighth of its time went on collecting them. */
const nodeFlags = ["--disable-warning=ExperimentalWarning", "--max-semi-space-size=64"];

/** @param {readonly string[]} words */
export async function run(words) {
  try {
    const { flags, program, args } = parse(words);
    await ensureInstalled({ root, dev: flags.has("--dev"), quiet: flags.has("--quiet"), findNode });
    const script = flags.has("--bin") ? realpathSync(join(root, "node_modules", ".bin", program)) : resolve(program);
    start(findNode(), script, args);
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
  if (program === undefined) throw new SetupError("Usage: node setup/run.mjs [--quiet] [--dev] SCRIPT [ARGS…]", 2);
  return { flags, program, args: words.slice(at + 1) };
}

/** A Node that is new enough: this one, or the one that npm installed. */
function findNode() {
  if (Number(process.versions.node.split(".")[0]) >= nodeMajorMin) return process.execPath;
  try {
    const name = `node-${process.platform}-${process.arch}`;
    const packaged = join(
      dirname(createRequire(join(root, "package.json")).resolve(`${name}/package.json`)),
      "bin",
      "node",
    );
    if (existsSync(packaged)) return packaged;
  } catch {
    // Not installed: said below.
  }
  throw new SetupError(
    `Querent needs Node ${nodeMajorMin} or newer. This is Node ${process.versions.node}, and npm has none for ${process.platform}-${process.arch}${
      process.platform === "linux" ? " installed (was it run with --omit=optional?)" : ""
    }. Install Node ${nodeMajorMin} from https://nodejs.org and start again.`,
  );
}

/**
 * Becomes the script where this Node can (execve: 22.15 and newer), so that nothing stands between it and its signals. An older one
 * stays as its parent, hands on signals, and ends as it ends.
 */
function start(node, script, args) {
  const words = [...nodeFlags, "--import", new URL("signals-once.mjs", import.meta.url).href, script, ...args];
  if (typeof process.execve === "function") {
    process.removeAllListeners("warning");
    process.execve(node, [node, ...words], process.env);
  }
  const child = spawn(node, words, { stdio: "inherit" });
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
