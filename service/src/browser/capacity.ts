import { availableParallelism, totalmem } from "node:os";

/** What a context with an assistant's page in it takes, and what the browser takes without one. */
const contextBytes = 300 * 1024 ** 2;
const browserBytes = 400 * 1024 ** 2;

/** Contexts at once: two a core, as pages wait more than they work, within half of the memory that this process may use. */
export function defaultContextsMax(cores = availableParallelism(), memoryBytes = usableMemory()): number {
  const byMemory = Math.floor((memoryBytes / 2 - browserBytes) / contextBytes);
  return Math.max(1, Math.min(2 * cores, byMemory, 32));
}

/** What a browser may take before it is replaced: memory that pages leak stays with its processes. */
export function defaultMemoryMax(contextsMax: number): number {
  return browserBytes + (contextsMax + 2) * contextBytes;
}

function usableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
