/** `querentd`, the operator's command line. */
import { CommanderError } from "commander";
import { checkCommand, commandLine } from "./app/cli/command-line.ts";
import { ConfigError } from "./app/config.ts";
import { BootError } from "./db/index.ts";
import { requireTls12 } from "./runtime/tls-floor.ts";

requireTls12();

try {
  const [, , word] = process.argv;
  const program = await commandLine(word);
  checkCommand(program, word);
  await program.parseAsync();
} catch (error) {
  // An error that the operator can fix is reported in one sentence; any other with everything that helps to find its cause.
  if (error instanceof CommanderError) {
    // Commander has reported the error already.
  } else if (
    error instanceof ConfigError ||
    error instanceof BootError ||
    (error instanceof Error && ["CommandError", "MasterKeyError"].includes(error.name))
  ) {
    console.error(`querentd: ${error.message}`);
  } else {
    console.error(error);
  }
  process.exitCode = exitCodeOf(error);
}

/** 2 for invalid arguments, as in `querent`; 1 for every other error. */
function exitCodeOf(error: unknown): number {
  if (!(error instanceof CommanderError)) return 1;
  return error.exitCode === 0 ? 0 : 2;
}
