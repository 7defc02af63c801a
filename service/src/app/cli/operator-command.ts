/** Shared by the operator's commands: the database beside a running service, and the output. */
import { InvalidArgumentError } from "commander";
import { ProblemError } from "../../api/problem-error.ts";
import { auditCommand } from "../../audit/index.ts";
import { migrate, type Database } from "../../db/index.ts";
import type { MasterKey } from "../../vault/index.ts";
import { CommandError } from "../command-error.ts";
import { readConfig, type Config } from "../config.ts";
import { auditedCommand } from "./audited-commands.ts";
import { loadMasterKey } from "../master-key.ts";
import { openExistingDatabase } from "../open-database.ts";

export interface OperatorOutput {
  readonly json?: boolean;
}

interface Deps {
  readonly config: Config;
  readonly database: Database;
  readonly masterKey: MasterKey;
}

/** `checkKey: false` for a command that works on what the master key can't decrypt. */
export async function withDatabase(
  work: (deps: Deps) => Promise<void>,
  { checkKey = true }: { checkKey?: boolean } = {},
): Promise<void> {
  const config = readConfig(process.env);
  await using opened = await openExistingDatabase(config);
  // Nobody waits for a command: it says what is missing.
  await migrate(opened.database, { pending: config.migrate === "apply" ? "apply" : "refuse" });
  const { database } = opened;
  const deps = { config, database, masterKey: await loadMasterKey(config, database, { check: checkKey }) };
  const audited = auditedCommand();
  try {
    await (audited === null ? work(deps) : auditCommand(database, audited, () => work(deps)));
  } catch (error) {
    // What the API refuses, a command refuses in the same words.
    throw error instanceof ProblemError ? new CommandError(sentencesOf(error)) : error;
  }
}

export function print(options: OperatorOutput, value: unknown, text: string): void {
  process.stdout.write(`${options.json === true ? JSON.stringify(value, null, 2) : text}\n`);
}

export function readUuid(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw new InvalidArgumentError("An id is a UUID.");
  return text.toLowerCase();
}

/** A day, a time, or how long ago: 12h, 7d. */
export function readTime(text: string): Date {
  const [, count, unit] = /^(\d{1,5})(h|d)$/.exec(text) ?? [];
  if (unit !== undefined) return new Date(Date.now() - Number(count) * (unit === "h" ? 3_600_000 : 86_400_000));
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?Z)?$/.test(text);
  const time = new Date(text);
  if (!isTime || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError("A time is written like 2026-11-01, 2026-11-01T09:30:00Z, 12h or 7d.");
  return time;
}

/** Aborts at the first signal, so that the current part of the work is completed. A second one ends the process. */
export function stopSignal(): { signal: AbortSignal } & Disposable {
  const stopping = new AbortController();
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const stop = () => (stopping.signal.aborted ? process.exit(130) : stopping.abort());
  for (const name of names) process.on(name, stop);
  return {
    signal: stopping.signal,
    [Symbol.dispose]: () => {
      for (const name of names) process.off(name, stop);
    },
  };
}

/** Of a body that is not valid, what is wrong: a command has no body. */
const sentencesOf = ({ message, errors = [] }: ProblemError): string =>
  errors.length === 0 ? message : errors.map(({ detail }) => detail).join(" ");
