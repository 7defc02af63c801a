#!/usr/bin/env node
/** `querent`, the command line for users. */
import { CommanderError, type Command } from "commander";
import { commandLine } from "./command-line.ts";
import { endingOf, exitCodes, explain, Interrupted } from "./exit-codes.ts";
import { printable } from "./output/printable.ts";
import { defaultUrl, readSettings } from "./settings.ts";

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    // The second signal ends the process immediately.
    if (stopping.signal.aborted) process.exit(exitCodes.interrupted.code);
    stopping.abort(new Interrupted("interrupted"));
  });
}
// The reader of our output, such as `head`, has closed it.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : exitCodes.fault.code));
}

let program: Command | undefined;
try {
  program = await commandLine(stopping.signal, process.argv.slice(2));
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(stopping.signal.aborted ? stopping.signal.reason : error);
}

/** Prints the error, and returns the exit code. */
function report(error: unknown): number {
  // Commander has already printed its error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage.code;
  const lines = explain(error, urlInUse());
  if (lines === null) console.error(error);
  else if (lines.length > 0) console.error(printable(`querent: ${lines.join("\n")}`));
  return exitCodes[endingOf(error)].code;
}

function urlInUse(): string {
  try {
    return readSettings(program?.opts() ?? {}, process.env).url;
  } catch {
    return defaultUrl;
  }
}
