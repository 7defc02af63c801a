import pc from "picocolors";
import { BrowserMissingError, type BrowserPool } from "../../browser/index.ts";
import { createBrowserPool } from "../browsers.ts";
import { readConfig } from "../config.ts";
import { CommandError } from "./command-error.ts";

/** Runs the work of a command with a browser, and ends it at an interruption. */
export async function withPool(
  headed: boolean,
  work: (pool: BrowserPool, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => stop.abort(new CommandError("Stopped."));
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  const pool = createBrowserPool(readConfig(process.env), {
    headed,
    onEvent: (event) => {
      if (event.event === "browser.started")
        console.error(pc.dim(`Chromium ${event.version} (${event.from}: ${event.path})`));
      if (event.event === "browser.unpacked")
        console.error(pc.dim(`Chromium was unpacked in ${event.seconds.toFixed(1)} s`));
      if (event.event === "browser.without_sandbox") console.error(pc.yellow(`Without its sandbox: ${event.why}`));
    },
  });
  try {
    await work(pool, stop.signal);
  } catch (error) {
    throw error instanceof BrowserMissingError ? new CommandError(error.message) : error;
  } finally {
    process.removeListener("SIGINT", onSignal).removeListener("SIGTERM", onSignal);
    await pool.close();
  }
}
