import { availableParallelism } from "node:os";
import { usableMemory } from "../runtime/usable-memory.ts";

/** The memory of a context with an assistant's page, and that of the browser without one. */
const contextBytes = 300 * 1024 ** 2;
const browserBytes = 400 * 1024 ** 2;

/**
 * The maximum of concurrent contexts: two per core, as pages mostly wait, within half of the memory that this process may use.
 */
export function defaultContextsMax(cores = availableParallelism(), memoryBytes = usableMemory()): number {
  const byMemory = Math.floor((memoryBytes / 2 - browserBytes) / contextBytes);
  return Math.max(1, Math.min(2 * cores, byMemory, 32));
}

/** The memory at which a browser is replaced: memory that pages leak stays with its processes. */
export function defaultMemoryMax(contextsMax: number): number {
  return browserBytes + (contextsMax + 2) * contextBytes;
}
