import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Files left by an interrupted write are removed after this time. */
const leftoverMs = 24 * 3600 * 1000;

/**
 * Contents as files in one folder. A file gets its name by a rename after its bytes have been flushed to disk, so it is either
 * complete or absent, even after a crash.
 */
export class FileStore implements ContentStore {
  readonly place: string;
  readonly #folder: string;
  readonly #making: string;

  constructor(folder: string) {
    this.place = folder;
    this.#folder = folder;
    this.#making = join(folder, "making");
  }

  async write(key: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    const file = join(this.#folder, key);
    const making = join(this.#making, randomBytes(12).toString("hex"));
    await this.#guarded(file, async () => {
      if ((await sizeOf(file)) === bytes.byteLength) return;
      await mkdir(this.#making, { recursive: true, mode: 0o700 });
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      try {
        await using handle = await open(making, "wx", 0o600);
        await handle.writeFile(bytes, { signal });
        await handle.sync();
        await rename(making, file);
      } catch (error) {
        await rm(making, { force: true });
        throw error;
      }
      await syncFolder(dirname(file));
    });
  }

  async read(key: string, bytes: number, signal: AbortSignal): Promise<Buffer> {
    const file = join(this.#folder, key);
    return this.#guarded(file, async () => {
      const size = await sizeOf(file);
      if (size === null) throw new ContentFault("missing", `${file} is not there.`);
      if (size !== bytes) throw new ContentFault("damaged", `${file} has ${size} bytes and should have ${bytes}.`);
      return readFile(file, { signal });
    });
  }

  async remove(key: string): Promise<void> {
    const file = join(this.#folder, key);
    await this.#guarded(file, () => rm(file, { force: true }));
  }

  async close(): Promise<void> {}

  /** Removes files left by interrupted writes. */
  async removeLeftovers(now: Date): Promise<number> {
    let removed = 0;
    const names = await readdir(this.#making).catch(() => []);
    for (const name of names) {
      const file = join(this.#making, name);
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: now.getTime() }));
      if (now.getTime() - mtimeMs < leftoverMs) continue;
      await unlink(file).then(
        () => (removed += 1),
        () => undefined,
      );
    }
    return removed;
  }

  async #guarded<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ContentFault || (error instanceof Error && error.name === "AbortError")) throw error;
      const code = (error as NodeJS.ErrnoException).code ?? "";
      const reason = reasons[code] ?? "unavailable";
      throw new ContentFault(reason, `${file}: ${sentences[reason]} (${code || "unknown fault"}).`, error);
    }
  }
}

const reasons: Readonly<Record<string, ContentFaultReason>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EFBIG: "full",
  ENOENT: "missing",
  EACCES: "refused",
  EPERM: "refused",
  EROFS: "refused",
};

const sentences: Readonly<Record<ContentFaultReason, string>> = {
  full: "there is no room left for artifacts",
  missing: "it is not there",
  damaged: "it is damaged",
  refused: "this user may not",
  unavailable: "the file system failed",
};

async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** A rename is durable once its folder has been flushed. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}

/** Where the bytes of artifacts are stored: a folder, or a bucket. It knows neither what they are nor who refers to them. */
export interface ContentStore {
  /** The location, for messages. */
  readonly place: string;
  /** Stores all of the bytes, or nothing. If the key exists already, its bytes are the same. */
  write(key: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Reads a stored content; `bytes` is its size. */
  read(key: string, bytes: number, signal: AbortSignal): Promise<Buffer>;
  /** Removes it, if it exists. */
  remove(key: string, signal: AbortSignal): Promise<void>;
  /** Closes connections. */
  close(): Promise<void>;
}

/**
 * `full`: no space. `missing`: not found. `damaged`: not the bytes that were stored. `refused`: not allowed. `unavailable`: no
 * response.
 */
export type ContentFaultReason = "full" | "missing" | "damaged" | "refused" | "unavailable";

/** An operation of the store failed. The message is for the operator, and contains no secret. */
export class ContentFault extends Error {
  readonly reason: ContentFaultReason;

  constructor(reason: ContentFaultReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ContentFault";
    this.reason = reason;
  }
}

/** The maximum size of an artifact. */
export const artifactBytesMax = 64 * 1024 * 1024;
