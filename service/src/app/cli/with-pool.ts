import pc from "picocolors";
import type { BrowserContext } from "playwright-core";
import { BrowserLostError, BrowserMissingError, findBrowsers, type BrowserPool } from "../../browser/index.ts";
import { openRemoteWindow, type RemoteQuestion, type RemoteWindow } from "../../signin/index.ts";
import { browserSettings, createBrowserPool } from "../browsers.ts";
import { readConfig, type Config } from "../config.ts";
import { CommandError } from "../command-error.ts";
import { InvalidArgumentError, type Command } from "commander";
import { createInterface } from "node:readline/promises";

/** A lost connection to the terminal ends a command as Ctrl-C does. */
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

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
  for (const name of stopSignals) process.once(name, onSignal);
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
    throw error instanceof BrowserMissingError || error instanceof BrowserLostError
      ? new CommandError(error.message)
      : error;
  } finally {
    for (const name of stopSignals) process.removeListener(name, onSignal);
    await pool.close();
  }
}

/** Why no window can be shown; null if one can. */
async function whyNoWindow(config: Config): Promise<string | null> {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === "linux" && !DISPLAY && !WAYLAND_DISPLAY)
    return "This command shows a browser's window, and there is no display here. Add --remote to see and use it in the browser of another machine, through an SSH tunnel.";
  const { endpoints, programs } = await findBrowsers(browserSettings(config));
  const isBundled = programs.length > 0 && programs.every((program) => "packed" in program);
  if (endpoints.length === 0 && !isBundled) return null;
  const which = isBundled
    ? "The Chromium that comes with Querent has no window."
    : "A remote browser shows no window here.";
  return `${which} Add --remote to see and use it in the browser that you have, or install Chrome, or name it in QUERENT_BROWSER_PATH${isBundled ? "" : ", and unset QUERENT_BROWSER_ENDPOINTS"}.`;
}

export interface WindowOptions {
  /** The port at which the window is shown, if it is not a window of this machine; `true`: the usual one. */
  readonly remote?: number | true;
}

/** Where a window is shown without a display. It is the same each time, so that a tunnel to it can be kept. */
const remotePort = 4290;

export const addRemoteOption = (command: Command): Command =>
  command.option(
    "--remote [port]",
    `show the browser at http://127.0.0.1:PORT/ instead of in a window, for a machine without a display (${remotePort} where not said)`,
    readPort,
  );

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError("A port from 1 to 65535, or 0 for one that is free.");
  return port;
}

/** A question in the terminal: what to do, and what pressing Enter means. */
export interface WindowQuestion extends RemoteQuestion {
  readonly enter: string;
}

export interface CommandWindow {
  readonly pool: BrowserPool;
  readonly signal: AbortSignal;
  /** Shows the pages that this context opens. Call it before the first one is opened. */
  readonly show: (context: BrowserContext) => void;
  /** Resolves when the person has answered, or `given` aborts. */
  readonly asking: (question: WindowQuestion, given?: AbortSignal) => Promise<void>;
}

/** Runs the work with a browser that the person can see and use, and with questions in the terminal. */
export async function withWindow(
  { remote }: WindowOptions,
  work: (window: CommandWindow) => Promise<void>,
): Promise<void> {
  await withPool(remote === undefined, async (pool, signal) => {
    const shown = remote === undefined ? null : await openRemote(remote === true ? remotePort : remote);
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      const closed = new Promise<never>((_resolve, reject) => {
        // The person at a remote window needs no terminal.
        if (shown !== null) return;
        lines.once("close", () => reject(new CommandError("Nobody can answer here: the input has ended.")));
      });
      closed.catch(() => undefined);
      // A terminal in its raw mode sends no signal.
      lines.on("SIGINT", () => process.emit("SIGINT"));
      const asking = async (question: WindowQuestion, given?: AbortSignal) => {
        signal.throwIfAborted();
        const answered = new AbortController();
        const withdrawn = AbortSignal.any([signal, answered.signal, ...(given === undefined ? [] : [given])]);
        try {
          await Promise.race([
            askInTerminal(lines, `${question.text}, ${question.enter}. `, withdrawn),
            shown === null ? closed : shown.ask(question, withdrawn),
          ]);
        } finally {
          answered.abort();
        }
        signal.throwIfAborted();
      };
      await work({ pool, signal, asking, show: (context) => shown?.show(context) });
    } finally {
      lines.close();
      await shown?.close();
    }
  });
}

/** Resolves with the next line, or when `withdrawn` aborts. Never resolves where the input has ended. */
async function askInTerminal(
  lines: ReturnType<typeof createInterface>,
  text: string,
  withdrawn: AbortSignal,
): Promise<void> {
  try {
    await lines.question(text, { signal: withdrawn });
  } catch (error) {
    if (!withdrawn.aborted)
      return (error as NodeJS.ErrnoException).code === "ERR_USE_AFTER_CLOSE" ? never : raise(error);
    process.stderr.write("\n");
  }
}

const never = new Promise<never>(() => undefined);
const raise = (error: unknown): never => {
  throw error;
};

async function openRemote(port: number): Promise<RemoteWindow> {
  const shown = await openRemoteWindow(port).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      error.code === "EADDRINUSE"
        ? `The port ${port} is in use, perhaps by another command with --remote. Name a free one: --remote ${port + 1}.`
        : `The browser can't be shown at port ${port} (${error.code ?? error.message}). Name another one: --remote 4291.`,
    );
  });
  console.error(
    `The browser is shown at ${shown.address}\nOn another machine, open a tunnel to it first, and then that address there: ssh -N -L ${shown.port}:127.0.0.1:${shown.port} THIS-MACHINE`,
  );
  return shown;
}
