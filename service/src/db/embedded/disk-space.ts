/** Whether the disk below the embedded PostgreSQL is full, and the wait until it no longer is. */
import { statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** The server writes its log in segments of 16 MiB, and can't recover without room for one: two are asked for. */
const neededBytes = 32 * 1024 * 1024;
/** Its log stands on the same disk, so its last words may be missing: below this the disk counts as full whatever they are. */
const fullBelowBytes = 1024 * 1024;
const lookEveryMs = 1_000;

/** Why a server that said `lastWords` ended: true when the disk was full. */
export async function endedByFullDisk(folder: string, lastWords: string): Promise<boolean> {
  const free = await freeBytes(folder);
  return free < fullBelowBytes || (free < neededBytes && lastWords.includes("No space left on device"));
}

/** Resolves once the server can be started again. */
export async function untilSpace(folder: string, signal: AbortSignal): Promise<void> {
  while ((await freeBytes(folder)) < neededBytes) await sleep(lookEveryMs, undefined, { signal });
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
