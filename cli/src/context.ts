import { Querent, type OutageOptions } from "@querent/client";
import type { Command } from "commander";
import { durationText } from "./arguments.ts";
import { CliError } from "./exit-codes.ts";
import { CommandOutput } from "./output/output.ts";
import { printableLine } from "./output/printable.ts";
import { readSettings, type Settings } from "./settings.ts";
import { version } from "./version.ts";

/** What all commands use. */
export interface Context {
  readonly settings: Settings;
  readonly output: CommandOutput;
  /** Aborts with Ctrl-C. */
  readonly signal: AbortSignal;
  /** The client, created on first use, because not every command needs a token. */
  readonly querent: Querent;
}

/** The options of every command, and `--max-wait` of commands that wait while the service is unavailable. */
export interface GlobalOptions {
  readonly maxWait?: number;
  readonly url?: string;
  readonly token?: string;
  readonly json?: boolean;
  readonly text?: boolean;
}

const defaultMaxWaitMs = 10 * 60_000;

/** Opens the context of a command from its flags. */
export type Open = (command: Command) => Context;

interface ContextInput {
  readonly options: GlobalOptions;
  readonly signal: AbortSignal;
  /** The command has `--max-wait`. */
  readonly waits: boolean;
  readonly environment?: NodeJS.ProcessEnv;
}

export function contextOf({ options, signal, waits, environment = process.env }: ContextInput): Context {
  const settings = readSettings(options, environment);
  const output = new CommandOutput({
    format: options.json === true ? "json" : options.text === true ? "text" : undefined,
  });
  let made: Querent | null = null;
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
function outageOf(maxWait: number | undefined, { url }: Settings, output: CommandOutput): OutageOptions {
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

export function tokenOf(settings: Settings): string {
  if (settings.token !== null) return settings.token;
  throw new CliError(
    "unauthorized",
    `No access token is set. Set QUERENT_TOKEN, or write {"url": "${settings.url}", "token": "qrt_..."} to ${settings.configFile}.`,
  );
}
