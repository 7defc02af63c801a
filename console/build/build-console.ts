/**
 * Makes the console's files out of its sources: in memory, in less than half a second, whenever a process first serves them.
 * So a checkout holds nothing that was built, a start waits for nothing, and what is served is what the sources say.
 */
import { globSync } from "node:fs";
import { basename, dirname, extname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { BuildOptions, BuildResult, Metafile, OutputFile, Plugin } from "esbuild";
import { consoleIndex } from "./console-index.ts";

export interface ConsoleFile {
  /** Under the console's own address, such as `assets/main-3ZQ7KJ2A.js`. */
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
  /** The body in Brotli, where that is smaller. */
  readonly brotli: Buffer | null;
}

export interface BuiltConsole {
  /** The page that every address of the console answers with. */
  readonly index: ConsoleFile;
  /** Files with a hash in their name: they never change. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
  /** The scripts that the first view loads, whatever it is. */
  readonly firstLoad: readonly string[];
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const brotli = promisify(brotliCompress);

/** @param base the address that the console is served at, without a slash at its end */
export async function buildConsole(base: string): Promise<BuiltConsole> {
  const esbuild = await import("esbuild");
  try {
    return await builtFrom(await esbuild.build({ ...buildOptions(base), logLevel: "silent" }), base);
  } finally {
    // esbuild's process would stay for the next build, and there is none.
    await esbuild.stop();
  }
}

export function buildOptions(base: string) {
  return {
    absWorkingDir: root,
    entryPoints: { main: "src/main.tsx", console: "styles" },
    outdir: "assets",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".woff2": "file", ".svg": "text" },
    // With `browser`, a package would read entities by way of innerHTML, which the page's policy forbids.
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["module", "import"],
    publicPath: `${base}/assets/`,
    define: { CONSOLE_BASE: JSON.stringify(base) },
    legalComments: "none",
    // A class that its file doesn't have.
    logOverride: { "import-is-undefined": "error" },
    plugins: [styles],
  } as const satisfies BuildOptions;
}

/** @param more scripts to load with the page, at addresses of their own */
export async function builtFrom(
  { outputFiles, metafile }: Pick<BuildResult<ReturnType<typeof buildOptions>>, "outputFiles" | "metafile">,
  base: string,
  more: readonly string[] = [],
): Promise<BuiltConsole> {
  const files = await Promise.all(
    withoutRepeats(outputFiles, metafile).map(({ path, contents }) =>
      consoleFile(`assets/${basename(path)}`, Buffer.from(contents)),
    ),
  );
  const firstLoad = staticImports(metafile);
  const index = consoleIndex({
    base,
    scripts: firstLoad.filter((path) => path.endsWith(".js")),
    more,
    styles: files.flatMap(({ path }) => (path.endsWith(".css") ? [path] : [])),
    fonts: files.flatMap(({ path }) => (/inter-latin-wght-normal-\w+\.woff2$/.test(path) ? [path] : [])),
  });
  return {
    index: await consoleFile("index.html", Buffer.from(index)),
    assets: new Map(files.map((file) => [file.path, file])),
    firstLoad,
  };
}

/**
 * All styles as one file, whatever is imported when: the shared ones first, then those of the components by their paths. So the order
 * is known, and a view that is fetched later has its styles already.
 */
const styles: Plugin = {
  name: "styles",
  setup({ initialOptions: { absWorkingDir: resolveDir = root }, onResolve, onLoad }) {
    onResolve({ filter: /^styles$/ }, ({ path }) => ({ path, namespace: "styles" }));
    onLoad({ filter: /^styles$/, namespace: "styles" }, () => {
      const modules = globSync("src/**/*.module.css", { cwd: resolveDir }).sort();
      const paths = ["src/styles/console.css", ...modules];
      return { contents: paths.map((path) => `@import "./${path}";`).join("\n"), loader: "css", resolveDir };
    });
  },
};

/** Leaves out what esbuild writes for each entry beside that one file: the styles that its scripts import. */
function withoutRepeats(files: readonly OutputFile[], { outputs }: Metafile): readonly OutputFile[] {
  const all = Object.keys(outputs).find(
    (path) => path.endsWith(".css") && outputs[path]?.entryPoint === "styles:styles",
  );
  return files.filter(({ path }) => !path.endsWith(".css") || basename(path) === basename(all ?? ""));
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

async function consoleFile(path: string, body: Buffer): Promise<ConsoleFile> {
  const type = types[extname(path)] ?? "application/octet-stream";
  // Fonts are compressed in themselves.
  if (type === "font/woff2") return { path, type, body, brotli: null };
  const compressed = await brotli(body, { params: brotliParameters(body.length) });
  return { path, type, body, brotli: compressed.length < body.length * 0.95 ? compressed : null };
}

/**
 * Quality 9 would save 0.8%. The window just holds the file: the default of 4 MB, for each of a hundred files, took ten times as much processor
 * time as their compression.
 *
 * @param size in bytes
 */
function brotliParameters(size: number): Record<number, number> {
  const { BROTLI_MIN_WINDOW_BITS: min, BROTLI_MAX_WINDOW_BITS: max } = constants;
  const bits = Math.ceil(Math.log2(size + 1));
  return {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_LGWIN]: Math.min(max, Math.max(min, bits)),
  };
}

/** The entry, and what it imports before it runs; views that are imported when they are opened are not among them. */
function staticImports({ outputs }: Metafile): string[] {
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === "src/main.tsx");
  const found = new Set<string>();
  const follow = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const { path: next, kind } of outputs[path]?.imports ?? []) if (kind === "import-statement") follow(next);
  };
  if (entry !== undefined) follow(entry);
  return [...found];
}
