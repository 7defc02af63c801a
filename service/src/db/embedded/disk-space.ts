/** Detects whether the disk of the embedded PostgreSQL is full, and waits until it no longer is. */
import { statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** The server writes its log in segments of 16 MiB, and cannot recover without space for one: space for two is required. */
const neededBytes = 32 * 1024 * 1024;
/**
 * The server's log is on the same disk, so its last lines may be missing: below this the disk counts as full regardless of
 * them.
 */
const fullBelowBytes = 1024 * 1024;
const lookEveryMs = 1_000;

/** True if a server with these last log lines ended because the disk was full. */
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
