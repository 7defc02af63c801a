import type { Command } from "commander";
import { durationMs } from "../arguments.ts";

/** For commands that go on through a restart of the service; `contextOf` reads it. */
export const addMaxWait = (command: Command): Command =>
  command.option(
    "--max-wait <time>",
    "how long to wait for a service that can't be reached: 10m when left out, once it has replied; also before when given",
    durationMs,
  );
