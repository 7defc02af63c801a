import { readFileSync } from "node:fs";

/** Descriptors for the database, deliveries, platforms and files. */
const reservedDescriptors = 300;
const connectionsMin = 16;

/** How many connections to the API a process accepts: few enough to leave descriptors for everything else. */
export function connectionsFor(configured: number | null, descriptorsMax = readDescriptorsMax()): number {
  return configured ?? Math.max(connectionsMin, Math.floor((descriptorsMax * 3) / 4) - reservedDescriptors);
}

/** The maximum of open files and sockets of this process. */
function readDescriptorsMax(): number {
  try {
    const soft = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    if (soft !== undefined) return soft === "unlimited" ? 1_000_000 : Number(soft);
  } catch {
    // Not Linux.
  }
  // The actual maximum on macOS, regardless of its limit.
  return 10_240;
}
