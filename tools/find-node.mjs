/** Finds the Node for Querent: the current one if it is new enough, otherwise that of an npm package in `tools/node`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { explain, npm } from "./npm.mjs";
import { SetupError } from "./setup-error.mjs";

export const nodeMajorMin = 24;

/**
 * An installed Node that is new enough, or null.
 * @param {string} root the checkout
 */
export function findNode(root) {
  if (Number(process.versions.node.split(".")[0]) >= nodeMajorMin) return process.execPath;
  const { wanted, installed, program } = packagedNode(root);
  return wanted !== undefined && installed === wanted && existsSync(program) ? program : null;
}

/** Installs the packaged Node. Throws a `SetupError` if npm has none for this system. */
export async function installNode({ root, quiet }) {
  const { wanted, folder, name } = packagedNode(root);
  if (wanted === undefined) throw noNode();
  if (!quiet) console.error(`Node ${process.versions.node} is too old. Installing Node ${wanted} in this folder …`);
  const args = ["ci", "--include=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { code, stderr } = await npm({ cwd: folder, args });
  if (code !== 0) throw new SetupError(explain(stderr, args), code ?? 1);
  const node = findNode(root);
  if (node === null) throw await notInstalled(root, name);
  return node;
}

/** npm does not fail if it cannot download an optional package, so this checks whether the registry has it. */
async function notInstalled(root, name) {
  const args = ["ping", "--loglevel=error"];
  const { code, stderr } = await npm({ cwd: root, args });
  return code === 0 ? noNode(`npm did not install ${name}.`) : new SetupError(explain(stderr, args));
}

function packagedNode(root) {
  const folder = join(root, "tools", "node");
  const name = `node-${process.platform}-${process.arch}`;
  const packageFolder = join(folder, "node_modules", name);
  return {
    folder,
    name,
    wanted: readJson(join(folder, "package.json"))?.optionalDependencies?.[name],
    installed: readJson(join(packageFolder, "package.json"))?.version,
    program: join(packageFolder, "bin", "node"),
  };
}

function noNode(why = `npm has none for ${process.platform}-${process.arch}.`) {
  return new SetupError(
    `Querent needs Node ${nodeMajorMin} or newer. This is Node ${process.versions.node}, and ${why} Install Node ${nodeMajorMin} from https://nodejs.org, and try again.`,
  );
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
