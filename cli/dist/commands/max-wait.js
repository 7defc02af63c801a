import { durationMs } from "../arguments.js";
/** For commands that continue after a restart of the service. `contextOf` reads it. */
export const addMaxWait = (command) =>
  command.option(
    "--max-wait <time>",
    "how long to wait while the service is unreachable (default: 10m, only after it has responded once; if set, also before)",
    durationMs,
  );
