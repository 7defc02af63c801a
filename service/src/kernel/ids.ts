import { v7 } from "uuid";

/** A new UUIDv7 (RFC 9562): sorts by the time it was made, and rises within one process. */
export const newId = (): string => v7();

/** When an id of ours was made (its first 48 bits, in milliseconds). */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16));
