import pc from "picocolors";
import { BrowserMissingError, findBrowsers, type BrowserPool } from "../../browser/index.ts";
import { browserSettings, createBrowserPool } from "../browsers.ts";
import { readConfig, type Config } from "../config.ts";
import { CommandError } from "../command-error.ts";
import { createInterface } from "node:readline/promises";

/** Runs the work of a command with a browser, and ends it at an interruption. */
export async function withPool(
  headed: boolean,
  work: (pool: BrowserPool, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const config = readConfig(process.env);
  const why = headed ? await whyNoWindow(config) : null;
  if (why !== null) throw new CommandError(why);
  const stop = new AbortController();
  const onSignal = () => stop.abort(new CommandError("Stopped."));
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  const pool = createBrowserPool(config, {
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

/** Why no window can be shown; null if one can. */
async function whyNoWindow(config: Config): Promise<string | null> {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const elsewhere =
    "Run the command on a machine with one. To sign in without a display, use the page of sessions in the console.";
  if (process.platform === "linux" && !DISPLAY && !WAYLAND_DISPLAY)
    return `This command shows a browser's window, and there is no display here. ${elsewhere}`;
  const { endpoints, programs } = await findBrowsers(browserSettings(config));
  const isBundled = programs.length > 0 && programs.every((program) => "packed" in program);
  if (endpoints.length === 0 && !isBundled) return null;
  const which = isBundled
    ? "The Chromium that comes with Querent has no window."
    : "A remote browser shows no window here.";
  return `${which} Install Chrome, or name it in QUERENT_BROWSER_PATH${isBundled ? "" : ", and unset QUERENT_BROWSER_ENDPOINTS"}.`;
}

/** Runs the work with a browser whose window the person can see, and with questions in the terminal. */
export async function withWindow(
  work: (
    pool: BrowserPool,
    signal: AbortSignal,
    asking: (text: string, given?: AbortSignal) => Promise<void>,
  ) => Promise<void>,
): Promise<void> {
  await withPool(true, async (pool, signal) => {
    using lines = createInterface({ input: process.stdin, output: process.stderr });
    const closed = new Promise<never>((_resolve, reject) => {
      lines.once("close", () => reject(new CommandError("Nobody can answer here: the input has ended.")));
    });
    closed.catch(() => undefined);
    const asking = async (text: string, given?: AbortSignal) => {
      const either = given === undefined ? signal : AbortSignal.any([signal, given]);
      try {
        await Promise.race([lines.question(text, { signal: either }), closed]);
      } catch (error) {
        if (given?.aborted !== true) throw error;
        process.stderr.write("\n");
      }
    };
    await work(pool, signal, asking);
  });
}
