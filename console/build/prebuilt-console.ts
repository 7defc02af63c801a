/** The entry of the published package: the console as it was built when the package was made, with the interface of `build-console.ts`. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BuiltConsole, ConsoleFile } from "./build-console.ts";

interface Built {
  readonly base: string;
  readonly firstLoad: readonly string[];
  /** The media type of each file. */
  readonly types: Readonly<Record<string, string>>;
}

const folder = join(import.meta.dirname, "files");

export async function buildConsole(base: string): Promise<BuiltConsole> {
  const built = JSON.parse(await readFile(join(folder, "built.json"), "utf8")) as Built;
  if (base !== built.base) throw new Error(`This package holds the console for ${built.base}, not for ${base}.`);
  const names = await readdir(folder, { recursive: true });
  const read = async (path: string): Promise<ConsoleFile> => ({
    path,
    type: built.types[path] ?? "application/octet-stream",
    body: await readFile(join(folder, path)),
    brotli: names.includes(`${path}.br`) ? await readFile(join(folder, `${path}.br`)) : null,
  });
  const files = await Promise.all(Object.keys(built.types).map(read));
  const index = files.find(({ path }) => path === "index.html");
  if (index === undefined) throw new Error(`${folder} has no index.html.`);
  return { index, assets: new Map(files.map((file) => [file.path, file])), firstLoad: built.firstLoad };
}
