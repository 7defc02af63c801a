/**
 * Installs the dependencies if they are missing or out of date. If not, it takes a few milliseconds.
 *
 * A stamp in node_modules records what is installed. Install scripts of packages are not run, so that a compromised package cannot attack
 * this machine during the installation. The only thing needed from them, links between PostgreSQL's libraries, is done in finish-install.ts.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findNode, installNode } from "./find-node.mjs";
import { withInstallLock } from "./install-lock.mjs";
import { explain, npm } from "./npm.mjs";
import { SetupError } from "./setup-error.mjs";

/**
 * Returns the path of the Node to use.
 * @param {{ root: string, dev: boolean, quiet: boolean }} options
 */
export async function ensureInstalled(options) {
  const found = findNode(options.root);
  if (found !== null && isInstalled(options)) return found;
  return withInstallLock(options.root, async () => {
    const node = findNode(options.root) ?? (await installNode(options));
    // Another process may have installed while this one waited for the lock.
    if (isInstalled(options)) return node;
    // npm may have been run directly.
    if (!adoptInstall(options)) await install(options, node);
    finishInstall(options.root, node);
    return node;
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
    // The installation is complete but not writable, as in a container image. The next start checks again.
    if (!["EACCES", "EROFS", "EPERM"].includes(error.code)) throw error;
  }
}

const stampPath = (root) => join(root, "node_modules", ".querent-installed.json");
const lockHash = (root) =>
  createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");

/** npm writes this file at the end of every installation, so its time shows whether npm has run since. */
function npmTouched(root) {
  return statSync(join(root, "node_modules", ".package-lock.json"), { throwIfNoEntry: false })?.mtimeMs;
}

/** Whether npm's record of node_modules matches package-lock.json. */
function adoptInstall({ root, dev }) {
  const installed = readPackages(join(root, "node_modules", ".package-lock.json"));
  const wanted = readPackages(join(root, "package-lock.json"));
  if (installed === undefined || wanted === undefined) return false;
  const isThere = ([path, entry]) => installed[path]?.version === entry.version;
  const required = Object.entries(wanted).filter(
    ([path, entry]) => path.includes("node_modules/") && !entry.optional && !entry.devOptional && !entry.link,
  );
  const missing = required.filter((each) => !isThere(each));
  if (missing.some(([, entry]) => dev || !entry.dev)) return false;
  // A package that was omitted on purpose stays omitted. One that was omitted by npm under an older Node, or because of a network error, is installed.
  const wantsOptional = !process.env["npm_config_omit"]?.includes("optional");
  if (wantsOptional && !optionalsOf(wanted).every(isThere)) return false;
  writeStamp(root, missing.length === 0);
  return true;
}

/** The optional packages that this system needs to run the service. */
function optionalsOf(packages) {
  const names = new Set(
    Object.values(packages)
      .filter(({ dev, optional }) => !dev && !optional)
      .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies)),
  );
  return [...names]
    .map((name) => [`node_modules/${name}`, packages[`node_modules/${name}`]])
    .filter(([, entry]) => entry !== undefined && fitsSystem(entry));
}

function fitsSystem({ os, cpu, libc }) {
  const fits = (list, value) => list === undefined || [list].flat().includes(value);
  return fits(os, process.platform) && fits(cpu, process.arch) && (libc === undefined || fits(libc, "glibc"));
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined;
  }
}

async function install({ root, dev, quiet }, node) {
  const before = readStamp(root);
  const exists = npmTouched(root) !== undefined;
  // Existing packages are kept, because a running service may load them at any time.
  const withDev = dev || (exists && (before?.dev ?? true));
  const scope = withDev ? "--include=dev" : "--omit=dev";
  const args = exists ? ["install", "--no-save", scope] : ["ci", scope];
  args.push("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error");
  if (!quiet) {
    const what = exists ? "Bringing the dependencies up to date" : "Installing the dependencies";
    console.error(`${what}${withDev ? " (with those for development)" : ""} …`);
  }
  const { code, stderr } = await npm({ cwd: root, args, node });
  if (code !== 0) throw new SetupError(explain(stderr, args), code ?? 1);
  writeStamp(root, withDev);
}

/** Steps that need the installed packages and Node 24: links of PostgreSQL's libraries, and a report of missing packages. */
function finishInstall(root, node) {
  spawnSync(node, [join(root, "tools", "finish-install.ts")], { stdio: ["ignore", "ignore", "inherit"] });
}
