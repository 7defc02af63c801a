import type { Database } from "../db/index.ts";
import { Computer } from "../insight/index.ts";
import { usableMemory } from "../runtime/usable-memory.ts";
import type { Config } from "./config.ts";

/** Three accounts, each with as many answers as it may read. More processes would only wait for processors. */
const memoryMaxMiB = 2100;

export function makeComputer({
  database,
  config,
}: {
  readonly database: Database;
  readonly config: Pick<Config, "figuresMemoryMiB" | "figuresSeconds">;
}): Computer {
  return new Computer({
    database,
    memoryMiB: config.figuresMemoryMiB ?? Math.min(memoryMaxMiB, Math.floor(usableMemory() / 2 ** 21)),
    timeMs: config.figuresSeconds * 1000,
    waitMs: 10_000,
  });
}
