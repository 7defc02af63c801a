import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
/** Writes standard input to a file, since it is read twice. Returns the folder, in which the file is named `input`. */
export async function spoolInput() {
  const folder = mkdtempSync(join(tmpdir(), "querent-"));
  try {
    await pipeline(process.stdin, createWriteStream(join(folder, "input"), { mode: 0o600 }));
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
