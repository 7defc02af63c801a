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

/** A UUIDv7 of a time, whose other bits are those of another UUID: the same time and UUID always make the same id. */
export function idAt(time: Date, id: string): string {
  const hex = id.replaceAll("-", "");
  return `${firstIdAt(time).slice(0, 14)}7${hex.slice(13, 16)}-${variantDigit(hex)}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** The first digit of the fourth group, whose two upper bits are the variant (RFC 9562, 4.1). */
const variantDigit = (hex: string) => (8 + (Number.parseInt(hex.charAt(16), 16) & 3)).toString(16);

/** The smallest and the greatest of some ids, so that a statement that looks up many reads only the partitions that they are in. */
export function idRange(ids: readonly string[]): { readonly least: string; readonly greatest: string } {
  let [least = nilId] = ids;
  let greatest = least;
  for (const id of ids) {
    if (id < least) least = id;
    else if (id > greatest) greatest = id;
  }
  return { least, greatest };
}

const nilId = "00000000-0000-0000-0000-000000000000";
