/** Lists the files of a folder that should be read. Follows no link to outside the folder, and no link to a folder. */
import { lstat, readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { yieldToEventLoop } from "./yield-to-event-loop.ts";
import type { CorpusProblem } from "./corpus.ts";
import { corpusBytesMax, dataFileBytesMax, filesMax, folderDepthMax, markdownFileBytesMax } from "./limits.ts";

export interface ScannedFile {
  /** In the folder, with `/`. */
  readonly file: string;
  readonly path: string;
  readonly kind: "markdown" | "json" | "catalogue-json" | "catalogue-yaml";
  readonly bytesMax: number;
}

export interface Scan {
  /** By name, so that the order is the same on every machine. */
  readonly files: readonly ScannedFile[];
  readonly problems: readonly CorpusProblem[];
  /** Changes when a file is added, removed or changed. */
  readonly signature: string;
}

/** Lists the files of the folder; null if it does not exist, is not a folder, or cannot be read. */
export async function scanFolder(folder: string): Promise<Scan | null> {
  let root: string;
  try {
    root = await realpath(folder);
    await readdir(root);
  } catch {
    return null;
  }
  const pause = yieldToEventLoop();
  const files: ScannedFile[] = [];
  const problems: CorpusProblem[] = [];
  const signature: string[] = [];
  let bytes = 0;
  let isFull = false;

  const addFile = async (file: string): Promise<void> => {
    const kind = kindOf(file);
    if (kind === null) return;
    if (files.length === filesMax) {
      isFull = true;
      problems.push({
        file,
        place: null,
        message: `is left out with all after it: the folder has more than ${filesMax} files`,
      });
      return;
    }
    const path = await realpath(join(root, file));
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) {
      problems.push({ file, place: null, message: "is a link that leads out of the folder" });
      return;
    }
    const stats = await lstat(path);
    const { size, mtimeMs } = stats;
    const bytesMax = kind === "markdown" ? markdownFileBytesMax : dataFileBytesMax;
    signature.push(`${file}\0${size}\0${mtimeMs}`);
    if (!stats.isFile()) problems.push({ file, place: null, message: "is not a file" });
    else if (size > bytesMax) problems.push({ file, place: null, message: `is larger than ${bytesMax} bytes` });
    else if (bytes + size > corpusBytesMax) {
      problems.push({
        file,
        place: null,
        message: `is left out: the folder has more than ${corpusBytesMax} bytes of documents`,
      });
    } else {
      bytes += size;
      files.push({ file, path, kind, bytesMax });
    }
  };

  const walk = async (within: string, depth: number): Promise<void> => {
    const entries = await readdir(join(root, within), { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (isFull) return;
      if (/^[._]/u.test(entry.name)) continue;
      const file = within === "" ? entry.name : `${within}/${entry.name}`;
      try {
        if (!entry.isDirectory()) await addFile(file);
        else if (depth < folderDepthMax) await walk(file, depth + 1);
        else problems.push({ file, place: null, message: `is deeper than ${folderDepthMax} folders` });
      } catch (error) {
        problems.push({ file, place: null, message: `can't be read: ${codeOf(error)}` });
        signature.push(`${file}\0${codeOf(error)}`);
      }
      await pause();
    }
  };
  await walk("", 1);
  return { files, problems, signature: signature.join("\n") };
}

function kindOf(file: string): ScannedFile["kind"] | null {
  const lower = file.toLowerCase();
  if (lower === "catalogue.json") return "catalogue-json";
  if (lower === "catalogue.yaml" || lower === "catalogue.yml") return "catalogue-yaml";
  if (lower.endsWith(".json")) return "json";
  // A README describes the folder to people; it is not one of its documents.
  return /\.(?:md|markdown)$/u.test(lower) && lower !== "readme.md" ? "markdown" : null;
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown error";
}
