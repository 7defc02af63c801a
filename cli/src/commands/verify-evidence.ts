import { readFile, stat } from "node:fs/promises";
import { readPublicKeys, verifyEvidence, type PublicKey } from "@querent/evidence";
import { UsageError } from "../exit-codes.ts";
import type { Output } from "../output/output.ts";
import { printableLine } from "../output/printable.ts";

/** What evidence can be at most, zipped. */
const fileBytesMax = 600 * 1024 * 1024;

/** Checks an evidence file with nothing but the file and the keys to trust. Returns whether it is what it says. */
export async function verifyEvidenceFile(output: Output, file: string, keyFile: string | undefined): Promise<boolean> {
  const trusted = keyFile === undefined ? null : await readKeys(keyFile);
  const verdict = verifyEvidence(await readBounded(file), trusted);
  await output.show(verdict, () => [
    verdict.verdict === "refused"
      ? output.color.red(printableLine(verdict.sentence))
      : output.color.green(printableLine(verdict.sentence)),
  ]);
  return verdict.verdict !== "refused";
}

async function readKeys(path: string): Promise<readonly PublicKey[]> {
  const text = (await readBounded(path)).toString("utf8");
  try {
    return readPublicKeys(text);
  } catch (error) {
    throw new UsageError(`${path} holds no key to trust: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function readBounded(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > fileBytesMax) throw new UsageError(`${path} is larger than evidence can be.`);
    return await readFile(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path} can't be read (${(error as NodeJS.ErrnoException).code ?? "unknown fault"}).`);
  }
}
