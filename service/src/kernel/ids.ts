import { randomBytes } from "node:crypto";
import { v7 } from "uuid";

/** A new UUIDv7 (RFC 9562): sorts by the time it was made, and rises within one process. */
export const newId = (): string => v7();

/** New UUIDv7 of one moment, rising: a range of times is a range of ids. */
export function newIdsAt(time: Date, count: number): string[] {
  // The library's own counter begins anew, at random below 2^31, with each millisecond; here it is ours.
  const first = randomBytes(4).readUInt32BE() >>> 1;
  return Array.from({ length: count }, (_, index) => v7({ msecs: time.getTime(), seq: first + index }));
}

/** The smallest id that something made at this time, or later, can have. */
export function firstIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`;
}

/** The first whole millisecond at a time or after it, since ids know no finer ones. */
export function millisecondAt(time: string): Date {
  const hasMore = /\.\d{3}\d*[1-9]/.test(time);
  return new Date(Date.parse(time) + (hasMore ? 1 : 0));
}

/** When an id of ours was made (its first 48 bits, in milliseconds). */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16));
