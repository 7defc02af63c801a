/** Copies folders whose files are written to, truncated and removed meanwhile. */
import { mkdir, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { errno } from "../boot-error.ts";

export interface Copied {
  readonly files: number;
  readonly bytes: number;
}

/** Who gets what is copied, and nobody else may read it. */
export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

const chunkBytes = 1024 * 1024;

/**
 * Copies a folder with what is below it, with modes and, as root, owners, unless it is given to an `owner`; each file is on the disk when
 * this resolves. `isCopied` is asked with paths relative to the folder. Entries that disappear meanwhile are left out.
 */
export async function copyTree(
  from: string,
  to: string,
  isCopied: (path: string) => boolean = () => true,
  owner?: FileOwner,
): Promise<Copied> {
  let [files, bytes] = [0, 0];
  await copyFolder("");
  return { files, bytes };

  async function copyFolder(path: string): Promise<void> {
    const source = join(from, path);
    const entries = await unlessGone(readdir(source, { withFileTypes: true }));
    const status = await unlessGone(stat(source));
    if (entries === null || status === null) return;
    const target = join(to, path);
    await mkdir(target, { recursive: true, mode: status.mode & modesOf(owner) });
    for (const entry of entries) {
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      if (!isCopied(below)) continue;
      if (entry.isDirectory()) await copyFolder(below);
      else if (entry.isFile()) {
        const copied = await unlessGone(copyFile(join(from, below), join(to, below), owner));
        if (copied === null) continue;
        files += 1;
        bytes += copied;
      }
    }
    await own(target, owner ?? status);
    await sync(target);
  }
}

/** Returns the number of bytes. Reads to the end of the file, wherever that is by then. */
export async function copyFile(from: string, to: string, owner?: FileOwner): Promise<number> {
  await using source = await open(from, "r");
  const status = await source.stat();
  await using target = await open(to, "wx", status.mode & modesOf(owner));
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let position = 0;
  for (;;) {
    const { bytesRead } = await source.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    let written = 0;
    while (written < bytesRead)
      written += (await target.write(chunk, written, bytesRead - written, position + written)).bytesWritten;
    position += bytesRead;
  }
  const { uid, gid } = owner ?? status;
  if (process.getuid?.() === 0) await target.chown(uid, gid);
  await target.sync();
  return position;
}

/** Resolves once a file, or the names in a folder, are on the disk. */
export async function sync(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}

/** Makes a folder like another one, which is given to the same owner as far as this user may. */
export async function makeFolderLike(path: string, model: string): Promise<void> {
  const status = await stat(model);
  await mkdir(path, { recursive: true, mode: status.mode & 0o777 });
  await own(path, status);
}

const modesOf = (owner: FileOwner | undefined) => (owner === undefined ? 0o777 : 0o700);

async function own(path: string, { uid, gid }: FileOwner): Promise<void> {
  if (process.getuid?.() !== 0) return;
  await using handle = await open(path, "r");
  await handle.chown(uid, gid);
}

async function unlessGone<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await work;
  } catch (error) {
    if (errno(error) === "ENOENT") return null;
    throw error;
  }
}
