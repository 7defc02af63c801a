import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** The number of the latest files that are kept. */
const filesMax = 200;

/** Stores the snapshots of a page whose answer was not complete, for `querentd recipe replay`. The oldest are removed. */
export function keepCaptures(folder: string, name: string, captures: object): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${new Date().toISOString().replaceAll(/[:.]/g, "-")}-${name}.json.gz`);
  writeFileSync(file, gzipSync(JSON.stringify(captures)), { mode: 0o600 });
  const files = readdirSync(folder)
    .filter((each) => each.endsWith(".json.gz"))
    .sort();
  for (const old of files.slice(0, Math.max(0, files.length - filesMax))) rmSync(join(folder, old), { force: true });
  return file;
}
