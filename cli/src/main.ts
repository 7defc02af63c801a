#!/usr/bin/env node
/** `querent`, the users' command line. */
import { CommanderError } from "commander";
import { commandLine } from "./command-line.ts";
import { endingOf, exitCodes, explain, Interrupted } from "./exit-codes.ts";
import { printable } from "./output/printable.ts";
import { defaultUrl, readSettings } from "./settings.ts";

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    // Whoever asks twice has waited long enough.
    if (stopping.signal.aborted) process.exit(exitCodes.interrupted.code);
    stopping.abort(new Interrupted("interrupted"));
  });
}
// Whoever reads us has had enough, such as `head`.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : exitCodes.fault.code));
}

const program = commandLine(stopping.signal);
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = tell(stopping.signal.aborted ? stopping.signal.reason : error);
}

/** Says what went wrong; the exit code. */
function tell(error: unknown): number {
  // Commander has said what is wrong with the words already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage.code;
  const lines = explain(error, addressAsked());
  if (lines === null) console.error(error);
  else if (lines.length > 0) console.error(printable(`querent: ${lines.join("\n")}`));
  return exitCodes[endingOf(error)].code;
}

function addressAsked(): string {
  try {
    return readSettings(program.opts(), process.env).url;
  } catch {
    return defaultUrl;
  }
}
