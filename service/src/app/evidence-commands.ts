/** `querentd verify-evidence` and `querentd evidence-key`: files checked offline, and the key that they are signed with. */
import { readFile, stat } from "node:fs/promises";
import { readPublicKeys, verifyEvidence, type PublicKey } from "@querent/evidence";
import type { Command } from "commander";
import { migrate, type Database } from "../db/index.ts";
import { publishedKeys, rotateSigningKey } from "../evidence/index.ts";
import type { MasterKey } from "../notifications/index.ts";
import { CommandError } from "./command-error.ts";
import { readConfig } from "./config.ts";
import { loadMasterKey } from "./master-key.ts";
import { openDatabase } from "./open-database.ts";

/** What evidence can be at most, zipped. */
const fileBytesMax = 600 * 1024 * 1024;

export function addEvidenceCommands(program: Command): void {
  program
    .command("verify-evidence")
    .description("check an evidence file, offline; the exit code is 1 unless it is what it says")
    .argument("<file>", "the zip")
    .option("--key <file>", "public keys to trust: PEM, JWK, or the service's published set")
    .option("--json", "print JSON")
    .action(verifyCommand);

  const key = program.command("evidence-key").description("the key that evidence is signed with");
  key
    .command("list")
    .description("every key, the one that signs first, as the service publishes them")
    .action(() =>
      withKeys(async ({ database }) => {
        console.log(JSON.stringify({ keys: await publishedKeys(database) }, null, 2));
      }),
    );
  key
    .command("rotate")
    .description("sign with a new key from now on; the one before stays published")
    .action(() =>
      withKeys(async ({ database, masterKey }) => {
        const { kid } = await rotateSigningKey(database, masterKey);
        console.log(`Evidence is signed with the key ${kid} from now on.`);
      }),
    );
}

async function verifyCommand(file: string, options: { key?: string; json?: boolean }): Promise<void> {
  const trusted = options.key === undefined ? null : await readKeys(options.key);
  const zip = await readBounded(file);
  const verdict = verifyEvidence(zip, trusted);
  console.log(options.json === true ? JSON.stringify(verdict, null, 2) : verdict.sentence);
  if (verdict.verdict === "refused") process.exitCode = 1;
}

async function readKeys(path: string): Promise<readonly PublicKey[]> {
  const text = (await readBounded(path)).toString("utf8");
  try {
    return readPublicKeys(text);
  } catch (error) {
    throw new CommandError(`${path} holds no key to trust: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function readBounded(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > fileBytesMax) throw new CommandError(`${path} is larger than evidence can be.`);
    return await readFile(path);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path} can't be read (${(error as NodeJS.ErrnoException).code ?? "unknown fault"}).`);
  }
}

async function withKeys(
  work: (opened: { readonly database: Database; readonly masterKey: MasterKey }) => Promise<void>,
): Promise<void> {
  const config = readConfig(process.env);
  await using opened = await openDatabase(config, { lock: null, log: null });
  await migrate(opened.database);
  await work({ database: opened.database, masterKey: await loadMasterKey(config, opened.database) });
}
