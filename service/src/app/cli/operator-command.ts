/** Shared by the operator's commands: the database beside a running service, and the output. */
import { InvalidArgumentError } from "commander";
import { migrate, type Database } from "../../db/index.ts";
import type { MasterKey } from "../../vault/index.ts";
import { readConfig, type Config } from "../config.ts";
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
  await work({
    config,
    database: opened.database,
    masterKey: await loadMasterKey(config, opened.database, { check: checkKey }),
  });
}

export function print(options: OperatorOutput, value: unknown, text: string): void {
  process.stdout.write(`${options.json === true ? JSON.stringify(value, null, 2) : text}\n`);
}

export function readUuid(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw new InvalidArgumentError("An id is a UUID.");
  return text.toLowerCase();
}
