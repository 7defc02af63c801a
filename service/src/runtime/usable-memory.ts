import { totalmem } from "node:os";

/** The bytes of memory that this process and those beside it may use: of the machine, or of its container. */
export function usableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
