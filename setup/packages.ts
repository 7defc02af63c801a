/**
 * npm run packages [-- FOLDER]
 *
 * Builds `@querent/client`, `@querent/evidence` and `@querent/cli` as they are published, and packs them into FOLDER (`dist`): plain JavaScript
 * and declarations. In the checkout they run from their sources.
 */
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

const root = join(import.meta.dirname, "..");
const names = ["client", "evidence", "cli"] as const;

interface Manifest {
  exports?: Record<string, unknown>;
  bin?: Record<string, string>;
  [member: string]: unknown;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename) {
  const folder = resolve(process.argv[2] ?? join(root, "dist"));
  for (const tarball of packAll(folder)) console.log(tarball);
}

/** Packs them into a folder; the tarballs' paths, in the order in which they depend on each other. */
export function packAll(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  return names.map((name) => pack(name, folder));
}

function pack(name: (typeof names)[number], folder: string): string {
  const stage = mkdtempSync(join(tmpdir(), "querent-pack-"));
  try {
    const compiler = realpathSync(join(root, "node_modules/.bin/tsc"));
    run(process.execPath, [compiler, "-p", join(root, name), "--outDir", join(stage, "dist")], root);
    nameDeclarations(join(stage, "dist"));
    for (const file of ["README.md", "package.json"]) cpSync(join(root, name, file), join(stage, file));
    cpSync(join(root, "LICENSE"), join(stage, "LICENSE"));
    const manifest = JSON.parse(readFileSync(join(stage, "package.json"), "utf8")) as Manifest;
    writeFileSync(join(stage, "package.json"), `${JSON.stringify(published(manifest), null, 2)}\n`);
    const words = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
    const [packed] = JSON.parse(npm(words, stage)) as { filename: string }[];
    if (packed === undefined) throw new Error("npm packed nothing");
    return join(folder, basename(packed.filename));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** The compiler writes `./x.js` into the JavaScript, and leaves `./x.ts` in the declarations: only some tools take that for `x.d.ts`. */
function nameDeclarations(folder: string): void {
  for (const file of globSync("**/*.d.ts", { cwd: folder })) {
    const text = readFileSync(join(folder, file), "utf8");
    writeFileSync(join(folder, file), text.replaceAll(/(from|import\()(\s*)"(\.[^"]*)\.ts"/g, '$1$2"$3.js"'));
  }
}

/** The manifest with what is built in place of the sources. */
function published(manifest: Manifest): Manifest {
  const { private: _, ...rest } = manifest;
  return {
    ...rest,
    ...(manifest.exports === undefined
      ? {}
      : {
          exports: {
            ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
            "./package.json": "./package.json",
          },
        }),
    ...(manifest.bin === undefined ? {} : { bin: { querent: "dist/main.js" } }),
    files: ["dist"],
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
