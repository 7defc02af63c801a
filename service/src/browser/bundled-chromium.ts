/**
 * The Chromium in the npm package `@sparticuz/chromium`: a headless shell for Linux on x64, compressed to 67 MB, with the
 * libraries that a minimal machine lacks (NSS, NSPR, expat) and one font. The package's own code unpacks into the machine's
 * temporary folder and changes this process's environment, so we unpack the files ourselves, once, next to the packages or, if
 * that is not writable, into the data folder.
 */
import { createReadStream, createWriteStream, existsSync, readFileSync } from "node:fs";
import { access, constants, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliDecompress, createBrotliDecompress } from "node:zlib";

const decompress = promisify(brotliDecompress);

/** The folder of the package's compressed files, or why it cannot be used. */
export function findPackage(): { path: string; packed: string; version: string } | { why: string } {
  if (process.platform !== "linux" || process.arch !== "x64") return { why: "it is for Linux on x64 only" };
  let packageFolder: string;
  try {
    packageFolder = dirname(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))));
  } catch {
    return { why: "it is not installed (optional dependencies were left out)" };
  }
  const packed = join(packageFolder, "bin");
  if (!existsSync(join(packed, "chromium.br"))) return { why: "it is not complete" };
  const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string };
  return { path: join(packed, "chromium.br"), packed, version };
}

/** An unpacked browser, and the folder of its libraries and fonts. */
export interface Unpacked {
  readonly path: string;
  readonly folder: string;
}

/**
 * Unpacks the package, unless it is unpacked already. Several processes may do this concurrently: the first to finish wins. If
 * `cacheDir` is null, it is only unpacked next to the packages.
 */
export async function unpack(
  { packed, version }: { packed: string; version: string },
  cacheDir: string | null,
  onUnpacked: (folder: string, seconds: number) => void,
  signal?: AbortSignal,
): Promise<Unpacked> {
  const name = `chromium-${version}`;
  const besidePackages = join(packed, "../../../.cache/querent");
  const folders = [besidePackages, ...(cacheDir === null ? [] : [join(cacheDir, "browser")])].map((parent) =>
    join(parent, name),
  );
  const ready = folders.find((folder) => existsSync(join(folder, "chromium")));
  if (ready !== undefined) return { path: join(ready, "chromium"), folder: ready };

  const started = performance.now();
  const folder = await firstWritable(folders);
  const unfinished = await mkdtemp(`${folder}.`);
  try {
    await mkdir(join(unfinished, "fonts"));
    for (const archive of ["al2023", "swiftshader", "fonts"]) {
      for (const file of readTar(await decompress(await readFile(join(packed, `${archive}.tar.br`))))) {
        await mkdir(dirname(join(unfinished, file.name)), { recursive: true });
        await writeFile(join(unfinished, file.name), file.content, { mode: 0o755 });
      }
    }
    await writeFile(join(unfinished, "fonts.conf"), fontsConfiguration(folder));
    await pipeline(
      createReadStream(join(packed, "chromium.br")),
      createBrotliDecompress(),
      createWriteStream(join(unfinished, "chromium"), { mode: 0o755 }),
      { signal },
    );
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(join(folder, "chromium"))) throw error;
  }
  onUnpacked(folder, (performance.now() - started) / 1000);
  return { path: join(folder, "chromium"), folder };
}

async function firstWritable(folders: readonly string[]): Promise<string> {
  for (const folder of folders.slice(0, -1)) {
    try {
      await mkdir(dirname(folder), { recursive: true });
      await access(dirname(folder), constants.W_OK);
      return folder;
    } catch {
      // Read-only, or owned by another user: try the next one.
    }
  }
  const last = folders.at(-1) ?? "";
  await mkdir(dirname(last), { recursive: true });
  return last;
}

/** The regular files of a tar archive in the package. */
function* readTar(archive: Buffer): Generator<{ name: string; content: Buffer }> {
  for (let at = 0; at + 512 <= archive.length;) {
    const text = (from: number, to: number) => archive.toString("latin1", at + from, at + to).replace(/\0.*$/s, "");
    const name = text(0, 100);
    if (name === "") return;
    const size = Number.parseInt(text(124, 136), 8);
    const kind = text(156, 157);
    if ((kind === "0" || kind === "") && !name.split("/").includes("..")) {
      yield { name, content: archive.subarray(at + 512, at + 512 + size) };
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

/** The machine's fonts, if any, and the package's font. */
function fontsConfiguration(folder: string): string {
  const system = existsSync("/etc/fonts/fonts.conf") ? `<include>/etc/fonts/fonts.conf</include>` : "";
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>${system}
  <dir>/usr/share/fonts</dir>
  <dir>${folder.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;
}
