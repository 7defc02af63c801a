import { readFile, stat } from "node:fs/promises";
import { readPublicKeys, type PublicKey } from "./keys.ts";
import { verifyEvidence, type Verdict } from "./verify-evidence.ts";

/** The maximum size of evidence, zipped. */
const fileBytesMax = 600 * 1024 * 1024;

/** A file that cannot be used at all, with one sentence for the user. */
export class EvidenceFileError extends Error {
  override readonly name = "EvidenceFileError";
}

/** Verifies an evidence file on disk. `keyFile`: public keys to trust, as PEM, JWK, or a service's published set. */
export async function verifyEvidenceFile(file: string, keyFile: string | undefined): Promise<Verdict> {
  const trusted = await readTrusted(keyFile);
  return verifyEvidence(await readBounded(file), trusted);
}

/** The keys in a file; null without a file. */
export async function readTrusted(path: string | undefined): Promise<readonly PublicKey[] | null> {
  if (path === undefined) return null;
  const text = (await readBounded(path)).toString("utf8");
  try {
    return readPublicKeys(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new EvidenceFileError(`${path} holds no key to trust: ${why}`);
  }
}

/** The bytes of a file, if it is not larger than evidence can be. */
export async function readBounded(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > fileBytesMax) throw new EvidenceFileError(`${path} is larger than evidence can be.`);
    return await readFile(path);
  } catch (error) {
    if (error instanceof EvidenceFileError) throw error;
    throw new EvidenceFileError(`${path} can't be read (${(error as NodeJS.ErrnoException).code ?? "unknown fault"}).`);
  }
}
