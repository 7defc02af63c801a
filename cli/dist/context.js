import { Querent } from "@querent/client";
import { durationText } from "./arguments.js";
import { CommandError } from "./exit-codes.js";
import { Output } from "./output/output.js";
import { printableLine } from "./output/printable.js";
import { readSettings } from "./settings.js";
import { version } from "./version.js";
const defaultMaxWaitMs = 10 * 60_000;
export function contextOf({ options, signal, waits, environment = process.env }) {
  const settings = readSettings(options, environment);
  const output = new Output({ format: options.json === true ? "json" : options.text === true ? "text" : undefined });
  let made = null;
  for (const warning of settings.warnings) output.note(output.noteColor.yellow(warning));
  return {
    settings,
    output,
    signal,
    get querent() {
      return (made ??= new Querent({
        url: settings.url,
        token: tokenOf(settings),
        headers: { "user-agent": `querent-cli/${version}` },
        ...(waits ? { outage: outageOf(options.maxWait, settings, output) } : {}),
      }));
    },
  };
}
/**
 * A service that has replied before is probably restarting, so the command waits for it. One that has never replied may have
 * another URL, so the command waits for it only if `--max-wait` is set.
 */
function outageOf(maxWait, { url }, output) {
  const maxMs = maxWait ?? defaultMaxWaitMs;
  let isTold = false;
  return {
    maxMs,
    fromStart: maxWait !== undefined,
    onWait: (error) => {
      if (!isTold)
        output.note(
          output.noteColor.yellow(
            `${printableLine(error.message)} Waiting up to ${durationText(maxMs)} for the service at ${url}. Press Ctrl-C to stop waiting.`,
          ),
        );
      isTold = true;
    },
    onBack: () => {
      if (isTold) output.note("The service is available again.");
      isTold = false;
    },
  };
}
export function tokenOf(settings) {
  if (settings.token !== null) return settings.token;
  throw new CommandError(
    "unauthorized",
    `No access token is set. Set QUERENT_TOKEN, or write {"url": "${settings.url}", "token": "qrt_..."} to ${settings.configFile}.`,
  );
}
