/**
 * Encrypts signing secrets: AES-256-GCM with a master key, bound to account and version, so that a row copied to another
 * account cannot be decrypted. A wrong master key is an error that states the fix, and never produces garbage.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { chmod, link, mkdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const layout = 1;

export class MasterKeyError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "MasterKeyError";
  }
}

/** The master key. It cannot be read or printed. */
export class MasterKey {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    if (key.length !== keyBytes) throw new MasterKeyError(`A master key has ${keyBytes} bytes.`);
    this.#key = Buffer.from(key);
  }

  /** A key for another purpose. It reveals nothing about this key or those for other purposes. */
  derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync("sha256", this.#key, "", `querent ${purpose}`, keyBytes));
  }

  /** Layout byte, nonce, tag, ciphertext. */
  encrypt(plain: string, accountId: string, version: number): Buffer {
    return this.#seal(plain, binding(accountId, version));
  }

  decrypt(stored: Buffer, accountId: string, version: number): string {
    return this.#open(stored, binding(accountId, version), "A stored signing secret");
  }

  /** Encrypts a text under a name for what it is; it can only be decrypted with the same name. */
  seal(plain: string, name: string): Buffer {
    return this.#seal(plain, Buffer.from(`querent ${name}`));
  }

  open(stored: Buffer, name: string): string {
    return this.#open(stored, Buffer.from(`querent ${name}`), "A stored key");
  }

  #seal(plain: string, bound: Buffer): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce).setAAD(bound);
    const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
    return Buffer.concat([Buffer.of(layout), nonce, cipher.getAuthTag(), body]);
  }

  #open(stored: Buffer, bound: Buffer, what: string): string {
    const nonceEnd = 1 + nonceBytes;
    try {
      if (stored[0] !== layout || stored.length < nonceEnd + tagBytes) throw new Error("unknown layout");
      const decipher = createDecipheriv("aes-256-gcm", this.#key, stored.subarray(1, nonceEnd), {
        authTagLength: tagBytes,
      })
        .setAAD(bound)
        .setAuthTag(stored.subarray(nonceEnd, nonceEnd + tagBytes));
      return Buffer.concat([decipher.update(stored.subarray(nonceEnd + tagBytes)), decipher.final()]).toString("utf8");
    } catch (cause) {
      throw new MasterKeyError(
        `${what} can't be decrypted: the master key is not the one it was encrypted with. Start with the former QUERENT_MASTER_KEY, or put the former \`master.key\` back into the data folder.`,
        cause,
      );
    }
  }
}

/** `QUERENT_MASTER_KEY`: 32 bytes in base64, base64url or hex. */
export function parseMasterKey(text: string): MasterKey {
  const trimmed = text.trim();
  const bytes = /^[0-9a-fA-F]{64}$/.test(trimmed)
    ? Buffer.from(trimmed, "hex")
    : /^[\w+/-]{43}=?$/.test(trimmed)
      ? Buffer.from(trimmed, "base64")
      : null;
  if (bytes?.length !== keyBytes) {
    throw new MasterKeyError(
      "QUERENT_MASTER_KEY is not 32 bytes in base64 or hex. Make one with `openssl rand -base64 32`.",
    );
  }
  return new MasterKey(bytes);
}

/**
 * The key in `master.key` of the data folder. With `make` it is created if it is missing; otherwise that is an error. Several
 * processes may start concurrently: the file is created atomically, and the second process uses the first one's.
 */
export async function loadMasterKeyFile(folder: string, { make }: { make: boolean }): Promise<MasterKey> {
  const file = join(folder, "master.key");
  const existing = await readKeyFile(file);
  if (existing !== null) return existing;
  if (!make) {
    throw new MasterKeyError(
      `There is no master key at ${file}, and the database holds secrets that are encrypted with one. Put the former file back, or set QUERENT_MASTER_KEY to what it held. Nothing was changed.`,
    );
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const making = `${file}.${randomBytes(6).toString("hex")}`;
  await writeFile(making, `${randomBytes(keyBytes).toString("base64")}\n`, { mode: 0o600, flag: "wx", flush: true });
  try {
    await chmod(making, 0o600);
    await link(making, file); // fails if another process was first; rename would overwrite its key
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await unlink(making);
  }
  const key = await readKeyFile(file);
  if (key === null) throw new MasterKeyError(`${file} vanished while it was being made.`);
  return key;
}

async function readKeyFile(file: string): Promise<MasterKey | null> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new MasterKeyError(`The master key can't be read from ${file}: ${(error as Error).message}`, error);
  }
  try {
    return parseMasterKey(text);
  } catch (error) {
    throw new MasterKeyError(
      `${file} does not hold a master key (32 bytes in base64). Put the former file back; without it the signing secrets can't be read.`,
      error,
    );
  }
}

function binding(accountId: string, version: number): Buffer {
  return Buffer.from(`querent signing secret ${accountId} ${version}`, "utf8");
}
