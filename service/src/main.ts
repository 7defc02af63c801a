/** `querentd`, the operator's command line. */
import { commandLine } from "./app/command-line.ts";
import { ConfigError } from "./app/config.ts";
import { BootError } from "./db/index.ts";

try {
  await commandLine().parseAsync();
} catch (error) {
  // A fault the operator can mend is told in one sentence; anything else with all there is to find its cause.
  if (
    error instanceof ConfigError ||
    error instanceof BootError ||
    (error instanceof Error && ["CommandError", "MasterKeyError"].includes(error.name))
  ) {
    console.error(`querentd: ${error.message}`);
  } else {
    console.error(error);
  }
  process.exitCode = 1;
}
