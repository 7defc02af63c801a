/**
 * npm run packages [-- FOLDER]
 *
 * Builds the client, the evidence verifier, the command line and the service for publication, and packs them into FOLDER (`dist`):
 * JavaScript, declarations for libraries, and the files that the service reads. Each tarball contains the packages of Querent that it
 * needs, so that it can be installed alone. In the checkout, the packages run from source.
 */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

const root = join(import.meta.dirname, "..");

interface Manifest {
  exports?: Record<string, unknown>;
  bin?: Record<string, string>;
  dependencies?: Record<string, string> | undefined;
  [member: string]: unknown;
}

interface Package {
  /** Copies the published files to the stage, next to the manifest. `compiled` has the packages that were compiled before. */
  build(stage: string, compiled: string): void | Promise<void>;
  /** The packages of Querent that it contains. */
  readonly bundles?: readonly Name[];
  /** Members of the manifest that differ from those in the checkout. */
  readonly manifest?: Partial<Manifest>;
  /** Files and folders of the package in addition to `dist`. */
  readonly files?: readonly string[];
}

type Name = "client" | "evidence" | "contract" | "figures" | "console" | "mcp" | "cli" | "service";

const packages: Readonly<Record<Name, Package>> = {
  client: { build: (...folders) => compile("client", ...folders) },
  evidence: { build: (...folders) => compile("evidence", ...folders) },
  figures: { build: (...folders) => compile("figures", ...folders) },
  mcp: { build: (...folders) => compile("mcp", ...folders) },
  contract: { build: (...folders) => compile("contract", ...folders) },
  console: { build: buildConsoleFiles, manifest: { dependencies: undefined } },
  cli: {
    build: (...folders) => compile("cli", ...folders),
    bundles: ["client", "evidence", "figures", "mcp"],
    manifest: { bin: { querent: "dist/main.js" } },
  },
  service: {
    build: buildService,
    bundles: ["contract", "console", "evidence", "figures", "client", "mcp"],
    manifest: { bin: { querentd: "bin/querentd.mjs" }, engines: { node: ">=24" } },
    files: ["bin", "sample-corpus"],
  },
};
const published = ["client", "evidence", "cli", "service"] as const;

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename) {
  const folder = resolve(process.argv[2] ?? join(root, "dist"));
  for (const tarball of Object.values(await packAll(folder))) console.log(tarball);
}

/** Packs all published packages, or some of them, into a folder. Returns the paths of the tarballs by name. */
export async function packAll<Which extends (typeof published)[number]>(
  folder: string,
  names: readonly Which[] = published as readonly (typeof published)[number][] as readonly Which[],
): Promise<Record<Which, string>> {
  mkdirSync(folder, { recursive: true });
  const tarballs = {} as Record<Which, string>;
  const compiled = mkdtempSync(join(tmpdir(), "querent-compiled-"));
  try {
    for (const name of names) tarballs[name] = await pack(name, folder, compiled);
    return tarballs;
  } finally {
    rmSync(compiled, { recursive: true, force: true });
  }
}

async function pack(name: Name, folder: string, compiled: string): Promise<string> {
  const stage = mkdtempSync(join(tmpdir(), "querent-pack-"));
  try {
    await buildInto(stage, compiled, name, false);
    const words = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
    const [packed] = JSON.parse(npm(words, stage)) as { filename: string }[];
    if (packed === undefined) throw new Error("npm packed nothing");
    return join(folder, basename(packed.filename));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/**
 * What a bundled package needs is a dependency of the package that bundles it, and only of that: npm takes the dependencies of bundled
 * packages for bundled, too, and leaves their folders empty in a global installation.
 */
async function buildInto(stage: string, compiled: string, name: Name, isBundled: boolean): Promise<void> {
  const { build, bundles = [], manifest = {}, files = [] } = packages[name];
  mkdirSync(stage, { recursive: true });
  await build(stage, compiled);
  const own = manifestOf(name);
  const bundled = bundles.length === 0 ? {} : { bundleDependencies: bundles.map((each) => `@querent/${each}`) };
  const inherited = dependenciesOf(bundles);
  const needed = bundles.length === 0 ? {} : { dependencies: { ...inherited, ...own.dependencies } };
  const all = { ...publishedManifest({ ...own, ...needed }), ...manifest, ...bundled, files: ["dist", ...files] };
  if (isBundled) delete all.dependencies;
  writeFileSync(join(stage, "package.json"), `${JSON.stringify(all, null, 2)}\n`);
  cpSync(join(root, name, "README.md"), join(stage, "README.md"));
  cpSync(join(root, "LICENSE"), join(stage, "LICENSE"));
  for (const each of bundles) await buildInto(join(stage, "node_modules/@querent", each), compiled, each, true);
}

function manifestOf(name: Name): Manifest {
  return JSON.parse(readFileSync(join(root, name, "package.json"), "utf8")) as Manifest;
}

/** What the packages that it contains need from the registry. */
function dependenciesOf(bundles: readonly Name[]): Record<string, string> {
  const needed = bundles.map((name) => ({ ...manifestOf(name), ...packages[name].manifest }).dependencies ?? {});
  return Object.fromEntries(needed.flatMap(Object.entries<string>).filter(([name]) => !name.startsWith("@querent/")));
}

/** Compiles a package once, although others contain it. */
function compile(name: Name, stage: string, compiled: string): void {
  const own = join(compiled, name);
  if (!existsSync(own)) {
    const compiler = realpathSync(join(root, "node_modules/.bin/tsc"));
    run(process.execPath, [compiler, "-p", join(root, name), "--outDir", own], root);
    nameDeclarations(own);
  }
  cpSync(own, join(stage, "dist"), { recursive: true });
}

/** The service's code and the files that it reads: migrations, recipes, page scripts, the example page, and the documents of the sample platform. */
function buildService(stage: string, compiled: string): void {
  compile("service", stage, compiled);
  const source = join(root, "service/src");
  for (const file of globSync("**/*.{sql,yaml,mjs,html}", { cwd: source }))
    cpSync(join(source, file), join(stage, "dist", file));
  cpSync(join(root, "service/sample-corpus"), join(stage, "sample-corpus"), { recursive: true });
  cpSync(join(root, "service/bin/installed.mjs"), join(stage, "bin/querentd.mjs"));
  cpSync(join(root, "tools/signals-once.mjs"), join(stage, "bin/signals-once.mjs"));
}

/** The built files of the console, so that an installed service needs neither its sources nor the build tools. */
async function buildConsoleFiles(stage: string): Promise<void> {
  const base = "/console";
  const { buildConsole } = await import("@querent/console");
  const { index, assets, firstLoad } = await buildConsole(base);
  const files = [{ ...index, path: "index.html" }, ...assets.values()];
  const folder = join(stage, "dist/files");
  for (const { path, body, brotli } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), body);
    if (brotli !== null) writeFileSync(join(folder, `${path}.br`), brotli);
  }
  const types = Object.fromEntries(files.map(({ path, type }) => [path, type]));
  writeFileSync(join(folder, "built.json"), JSON.stringify({ base, firstLoad, types }));
  const entry = readFileSync(join(root, "console/build/prebuilt-console.ts"), "utf8");
  writeFileSync(join(stage, "dist/index.js"), stripTypeScriptTypes(entry));
}

/** The compiler writes `./x.js` to JavaScript, but leaves `./x.ts` in declarations, which only some tools resolve to `x.d.ts`. */
function nameDeclarations(folder: string): void {
  for (const file of globSync("**/*.d.ts", { cwd: folder })) {
    const text = readFileSync(join(folder, file), "utf8");
    writeFileSync(join(folder, file), text.replaceAll(/(from|import\()(\s*)"(\.[^"]*)\.ts"/g, '$1$2"$3.js"'));
  }
}

/** The manifest with built files instead of sources. */
function publishedManifest(manifest: Manifest): Manifest {
  const published = { ...manifest };
  delete published["private"];
  delete published["devDependencies"];
  if (manifest.exports === undefined) return published;
  const types = manifest["name"] === "@querent/console" ? {} : { types: "./dist/index.d.ts" };
  return {
    ...published,
    exports: { ".": { ...types, default: "./dist/index.js" }, "./package.json": "./package.json" },
  };
}

/** The npm that runs this script, or the one on PATH. */
function npm(words: readonly string[], cwd: string): string {
  const own = process.env["npm_execpath"] ?? "";
  return own.endsWith("npm-cli.js") ? run(process.execPath, [own, ...words], cwd) : run("npm", words, cwd);
}

function run(program: string, words: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd, encoding: "utf8" });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${words.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
