/**
 * Installs the dependencies when they are not there, and tells in milliseconds that they are.
 *
 * What is installed stands in a stamp inside node_modules. No install script of any package runs: one that needs none can't be
 * taken over by one, and the single thing we need of them (links between PostgreSQL's libraries) we do ourselves.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { withInstallLock } from "./install-lock.mjs";

/** Something the person at the keyboard has to put right. */
export class SetupError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** @param {{ root: string, dev: boolean, quiet: boolean, findNode: () => string }} options */
export async function ensureInstalled(options) {
  if (isInstalled(options)) return;
  await withInstallLock(options.root, async () => {
    // Another start may have done it while this one waited; or somebody ran npm by hand.
    if (isInstalled(options) || adoptInstall(options)) return;
    await install(options);
    linkLibraries(options);
  });
}

function isInstalled({ root, dev }) {
  const stamp = readStamp(root);
  return stamp !== undefined && stamp.lock === lockHash(root) && stamp.npm === npmTouched(root) && (stamp.dev || !dev);
}

function readStamp(root) {
  try {
    return JSON.parse(readFileSync(stampPath(root), "utf8"));
  } catch {
    return undefined;
  }
}

function writeStamp(root, dev) {
  const text = JSON.stringify({ lock: lockHash(root), npm: npmTouched(root), dev });
  try {
    writeFileSync(`${stampPath(root)}.${process.pid}`, text);
    renameSync(`${stampPath(root)}.${process.pid}`, stampPath(root));
  } catch (error) {
    // An install that is complete but not ours to write to, as in a container image: the next start looks again.
    if (!["EACCES", "EROFS", "EPERM"].includes(error.code)) throw error;
  }
}

const stampPath = (root) => join(root, "node_modules", ".querent-installed.json");
const lockHash = (root) =>
  createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");

/** npm writes this file at the end of every install: its time tells whether npm was here since. */
function npmTouched(root) {
  return statSync(join(root, "node_modules", ".package-lock.json"), { throwIfNoEntry: false })?.mtimeMs;
}

/** Whether npm's own record of node_modules already has what package-lock.json asks for. */
function adoptInstall({ root, dev, findNode }) {
  const installed = readPackages(join(root, "node_modules", ".package-lock.json"));
  const wanted = readPackages(join(root, "package-lock.json"));
  if (installed === undefined || wanted === undefined) return false;
  const missing = Object.entries(wanted).filter(([path, entry]) => {
    if (!path.includes("node_modules/") || entry.optional || entry.devOptional || entry.link) return false;
    return installed[path]?.version !== entry.version;
  });
  if (missing.some(([, entry]) => dev || !entry.dev)) return false;
  if (isMissingOurOptionals(wanted, installed)) return false;
  linkLibraries({ root, findNode });
  writeStamp(root, missing.length === 0);
  return true;
}

/** Optional packages for this very machine that npm would have installed: left out on purpose, or by a lost connection. */
function isMissingOurOptionals(wanted, installed) {
  return Object.entries(wanted).some(([path, entry]) => {
    const fits =
      entry.optional && !entry.dev && entry.os?.includes(process.platform) && entry.cpu?.includes(process.arch);
    return (
      fits &&
      !entry.libc &&
      installed[path]?.version !== entry.version &&
      !process.env["npm_config_omit"]?.includes("optional")
    );
  });
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined;
  }
}

async function install({ root, dev, quiet }) {
  const before = readStamp(root);
  const exists = npmTouched(root) !== undefined;
  // What was there stays there: a running service may load it at any time.
  const withDev = dev || (exists && (before?.dev ?? true));
  const scope = withDev ? "--include=dev" : "--omit=dev";
  const args = exists ? ["install", "--no-save", scope] : ["ci", scope];
  if (!quiet || process.stderr.isTTY) {
    const what = exists ? "Bringing the dependencies up to date" : "Installing the dependencies, once";
    console.error(`${what}${withDev ? " (with those for development)" : ""} …`);
  }
  const { code, said } = await npm(root, [...args, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
  if (code !== 0) throw new SetupError(explain(said, args.join(" ")), typeof code === "number" ? code : 1);
  writeStamp(root, withDev);
}

/** The npm that started us, or the one on PATH. What it says on stdout is for us: stdout belongs to the script. */
function npm(root, args) {
  const path = process.env["npm_execpath"];
  const own = path !== undefined && basename(path) === "npm-cli.js";
  const [file, words] = own ? [process.env["npm_node_execpath"] ?? process.execPath, [path, ...args]] : ["npm", args];
  const child = spawn(file, words, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stdout.resume();
  child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
  return new Promise((done) => {
    child.once("error", (error) => done({ code: 1, said: error.code === "ENOENT" ? "no npm" : error.message }));
    child.once("close", (code) => done({ code, said }));
  });
}

/** @param {string} said what npm wrote to stderr */
export function explain(said, command) {
  const [, advice] = [
    [/^no npm$/, "There is no npm on PATH. Install Node with its npm, and start again."],
    [/ENOSPC/, "The disk is full. Free about 1 GB, and start again."],
    [
      /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT/,
      "npm's registry can't be reached. Check the connection (and npm's proxy setting), and start again; once installed, Querent starts without it.",
    ],
    [
      /EBADPLATFORM/,
      "A package does not run on this system. Querent runs on Linux with glibc and on macOS, on x64 and arm64.",
    ],
    [
      /EACCES|EPERM|EROFS/,
      "This user may not write to node_modules. Run `npm ci --omit=dev --ignore-scripts` as the owner of the folder, and start again.",
    ],
    [
      /EINTEGRITY/,
      "A package is not what package-lock.json expects. Run `npm cache clean --force`, and start again; if it comes again, a proxy changes what it passes on.",
    ],
    [/in sync/, "package.json and package-lock.json disagree. Take both from the same commit."],
  ].find(([pattern]) => pattern.test(said)) ?? ["", "What npm said is above. Put it right, and start again."];
  return `${said.trim()}\n\nThe dependencies could not be installed (npm ${command}).\n${advice}`;
}

function linkLibraries({ root, findNode }) {
  // The service does the same when it starts; but then it may be a user who may not write there.
  spawnSync(findNode(), [join(root, "setup", "link-libraries.ts")], { stdio: ["ignore", "ignore", "inherit"] });
}
