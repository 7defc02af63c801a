import { randomBytes, randomFillSync } from "node:crypto";
import { v7 } from "uuid";

/** How an id is written, here and in cursors. */
export const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const last = { msecs: 0, seq: 0 };

/** A new UUIDv7 (RFC 9562): sorts by creation time, and increases within one process, even if its clock is set back. */
export function newId(): string {
  const now = Date.now();
  if (now > last.msecs) {
    last.msecs = now;
    last.seq = firstSeq();
  } else {
    last.seq++;
  }
  return v7({ ...last, random: randomOfId() });
}

/** New UUIDv7 of one time, increasing: a range of times is a range of ids. */
export function newIdsAt(time: Date, count: number): string[] {
  const first = firstSeq();
  return Array.from({ length: count }, (_, index) =>
    v7({ msecs: time.getTime(), seq: first + index, random: randomOfId() }),
  );
}

/** A counter starts at random below 2^31, so that it has room to increase. */
const firstSeq = (): number => randomBytes(4).readUInt32BE() >>> 1;

const randomBytesOfId = 16;
const random = Buffer.alloc(256 * randomBytesOfId);
let randomAt = random.length;

/** Fetched for many ids at once: fetched for each, the system's random bytes took most of the time of an id. */
function randomOfId(): Uint8Array {
  if (randomAt === random.length) {
    randomFillSync(random);
    randomAt = 0;
  }
  return random.subarray(randomAt, (randomAt += randomBytesOfId));
}

/** The smallest id of anything created at this time or later. */
export function firstIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`;
}

/** The first whole millisecond at or after a time, since ids have this precision. */
export function millisecondAt(time: string): Date {
  const hasMore = /\.\d{3}\d*[1-9]/.test(time);
  return new Date(Date.parse(time) + (hasMore ? 1 : 0));
}

/** When an id was created (its first 48 bits, in milliseconds). */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16));
