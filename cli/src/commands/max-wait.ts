import type { Command } from "commander";
import { durationMs } from "../arguments.ts";

/** Adds the option of commands that continue after a restart of the service. `contextOf` reads it. */
export const addMaxWait = (command: Command): Command =>
  command.option(
    "--max-wait <time>",
    "how long to wait while the service is unreachable (default: 10m, only after it has responded once; if set, also before)",
    durationMs,
  );
