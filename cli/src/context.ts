import { Querent } from "@querent/client";
import type { Command } from "commander";
import { UsageError } from "./exit-codes.ts";
import { Output } from "./output/output.ts";
import { readSettings, type Settings } from "./settings.ts";
import { version } from "./version.ts";

/** What every command works with. */
export interface Context {
  readonly settings: Settings;
  readonly output: Output;
  /** Aborts with Ctrl-C. */
  readonly signal: AbortSignal;
  /** Made when it is asked for: not every command needs a token. */
  readonly querent: Querent;
}

export interface GlobalOptions {
  readonly url?: string;
  readonly token?: string;
  readonly json?: boolean;
  readonly text?: boolean;
}

/** Opens the context of a command from its flags. */
export type Open = (command: Command) => Context;

export function contextOf(options: GlobalOptions, signal: AbortSignal, environment = process.env): Context {
  const settings = readSettings(options, environment);
  const output = new Output({ format: options.json === true ? "json" : options.text === true ? "text" : undefined });
  for (const warning of settings.warnings) output.note(output.noteColor.yellow(warning));
  return {
    settings,
    output,
    signal,
    get querent() {
      return new Querent({
        url: settings.url,
        token: tokenOf(settings),
        headers: { "user-agent": `querent-cli/${version}` },
      });
    },
  };
}

export function tokenOf(settings: Settings): string {
  if (settings.token !== null) return settings.token;
  throw new UsageError(
    `There is no access token. Set QUERENT_TOKEN, or write {"url": "${settings.url}", "token": "qrt_..."} into ${settings.configFile}.`,
  );
}
