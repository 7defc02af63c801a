/**
 * Encrypts signing secrets: AES-256-GCM with a master key, bound to account and version, so that a row copied to another
 * account cannot be decrypted. A wrong master key is an error that states the fix, and never produces garbage. Values state
 * the key that encrypted them, so that it can be replaced while the service runs.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { chmod, link, mkdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { whyKeyGuessable } from "../kernel/guessable.ts";

const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const idBytes = 4;
/** Layout 1, of former versions, does not say which key encrypted a value. Layout 2 has the key's id after the layout byte. */
const layoutWithoutId = 1;
const layout = 2;

export class MasterKeyError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "MasterKeyError";
  }
}

interface OneKey {
  readonly id: Buffer;
  readonly key: Buffer;
}

/**
 * The master key, and while it is being replaced the other keys whose values can still be decrypted. The first one encrypts. No
 * key can be read or printed.
 */
export class MasterKey {
  readonly #current: OneKey;
  readonly #all: readonly OneKey[];

  constructor(current: Buffer, ...others: readonly Buffer[]) {
    const make = (key: Buffer): OneKey => {
      if (key.length !== keyBytes) throw new MasterKeyError(`A master key has ${keyBytes} bytes.`);
      return { key: Buffer.from(key), id: derived(key, "key id").subarray(0, idBytes) };
    };
    this.#current = make(current);
    this.#all = [this.#current, ...others.map(make)];
  }

  /** The ids of the keys, the current one first. An id reveals nothing about its key. */
  get ids(): readonly string[] {
    return this.#all.map(({ id }) => id.toString("hex"));
  }

  /** How values begin that the current key encrypted. */
  get head(): Buffer {
    return Buffer.concat([Buffer.of(layout), this.#current.id]);
  }

  /**
   * A key for another purpose. It reveals nothing about this key or those for other purposes. While the master key is being
   * replaced, it is derived from the oldest one.
   */
  derive(purpose: string): Buffer {
    return derived((this.#all.at(-1) ?? this.#current).key, purpose);
  }

  /** Layout byte, key id, nonce, tag, ciphertext. */
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
    const cipher = createCipheriv("aes-256-gcm", this.#current.key, nonce).setAAD(bound);
    const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
    return Buffer.concat([this.head, nonce, cipher.getAuthTag(), body]);
  }

  #open(stored: Buffer, bound: Buffer, what: string): string {
    const id = keyIdOf(stored);
    const hasId = id !== null;
    const isKnown = hasId || stored[0] === layoutWithoutId;
    const keys = isKnown ? this.#all.filter((one) => !hasId || one.id.toString("hex") === id) : [];
    let cause: unknown;
    for (const { key } of keys) {
      try {
        return decipher(stored, hasId ? 1 + idBytes : 1, key, bound);
      } catch (error) {
        cause = error;
      }
    }
    const which = hasId && keys.length === 0 ? `, ${id}; this process has ${this.ids.join(", ")}` : "";
    throw new MasterKeyError(
      `${what} can't be decrypted: the master key is not the one it was encrypted with${which}. Start with the former QUERENT_MASTER_KEY, or put the former \`master.key\` back into the data folder. \`querentd master-key list\` shows what is encrypted with which key. If the key is lost for good, \`querentd master-key abandon\` says what is lost with it.`,
      cause,
    );
  }
}

/** The id of the key that a value was encrypted with, by its first bytes; null: a value of a former version, without an id. */
export function keyIdOf(head: Buffer): string | null {
  return head[0] === layout ? head.subarray(1, 1 + idBytes).toString("hex") : null;
}

const derived = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", key, "", `querent ${purpose}`, keyBytes));

function decipher(stored: Buffer, start: number, key: Buffer, bound: Buffer): string {
  const nonceEnd = start + nonceBytes;
  if (stored.length < nonceEnd + tagBytes) throw new Error("unknown layout");
  const deciphering = createDecipheriv("aes-256-gcm", key, stored.subarray(start, nonceEnd), {
    authTagLength: tagBytes,
  })
    .setAAD(bound)
    .setAuthTag(stored.subarray(nonceEnd, nonceEnd + tagBytes));
  return Buffer.concat([deciphering.update(stored.subarray(nonceEnd + tagBytes)), deciphering.final()]).toString(
    "utf8",
  );
}

/** `QUERENT_MASTER_KEY`: 32 bytes in base64, base64url or hex. Several keys are separated by commas or lines. */
export function parseMasterKey(text: string): MasterKey {
  const [current, ...others] = text
    .trim()
    .split(/\s*[,\n]\s*/)
    .map(parseKey);
  if (current === undefined) throw new MasterKeyError(notAKey);
  const why = [current, ...others].map((key) => whyKeyGuessable(key));
  // Beside a good one it is being replaced.
  if (why.every((reason) => reason !== null)) throw new GuessableKeyError(why[0] ?? "");
  return new MasterKey(current, ...others);
}

/** A key that was not drawn at random, such as the placeholder of an example. */
class GuessableKeyError extends MasterKeyError {
  constructor(why: string) {
    super(
      `The master key can be guessed: it ${why}. Make one with \`openssl rand -hex 32\`. If the database already holds secrets that are encrypted with this key, replace it as docs/how-to/operate.md says, with both keys: QUERENT_MASTER_KEY=FORMER,NEW.`,
    );
  }
}

const notAKey =
  "QUERENT_MASTER_KEY is not 32 bytes in base64 or hex. Make one with `openssl rand -base64 32`. Several are separated by commas.";

function parseKey(text: string): Buffer {
  const bytes = /^[0-9a-fA-F]{64}$/.test(text)
    ? Buffer.from(text, "hex")
    : /^[\w+/-]{43}=?$/.test(text)
      ? Buffer.from(text, "base64")
      : null;
  if (bytes?.length !== keyBytes) throw new MasterKeyError(notAKey);
  return bytes;
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
    if (error instanceof GuessableKeyError) throw error;
    throw new MasterKeyError(
      `${file} does not hold a master key (32 bytes in base64). Put the former file back; without it the signing secrets can't be read.`,
      error,
    );
  }
}

function binding(accountId: string, version: number): Buffer {
  return Buffer.from(`querent signing secret ${accountId} ${version}`, "utf8");
}
