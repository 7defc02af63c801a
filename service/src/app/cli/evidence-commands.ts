/** `querentd verify-evidence` and `querentd evidence-key`: files checked offline, and the key that they are signed with. */
import { EvidenceFileError, verifyEvidenceFile } from "@querent/evidence";
import type { Command } from "commander";
import { CommandError } from "./command-error.ts";

export function addEvidenceCommands(program: Command): void {
  program
    .command("verify-evidence")
    .description("verify an evidence file offline; the exit code is 1 if it is invalid")
    .argument("<file>", "the zip")
    .option("--key <file>", "public keys to trust: PEM, JWK, or the service's published set")
    .option("--json", "print JSON")
    .action(verifyCommand);

  const key = program.command("evidence-key").description("manage the keys that sign evidence");
  key.command("list").description("list the published keys, the current one first").action(listKeys);
  key.command("rotate").description("create a new signing key; the previous one remains published").action(rotateKey);
}

async function verifyCommand(file: string, options: { key?: string; json?: boolean }): Promise<void> {
  const verdict = await verifyEvidenceFile(file, options.key).catch((error: unknown) => {
    throw error instanceof EvidenceFileError ? new CommandError(error.message) : error;
  });
  console.log(options.json === true ? JSON.stringify(verdict, null, 2) : verdict.sentence);
  if (verdict.verdict === "refused") process.exitCode = 1;
}

// A file is verified without a database: what these two need is loaded by them.

async function listKeys(): Promise<void> {
  const { publishedKeys } = await import("../../evidence/index.ts");
  const { withDatabase } = await import("./operator-command.ts");
  await withDatabase(async ({ database }) => {
    console.log(JSON.stringify({ keys: await publishedKeys(database) }, null, 2));
  });
}

async function rotateKey(): Promise<void> {
  const { rotateSigningKey } = await import("../../evidence/index.ts");
  const { withDatabase } = await import("./operator-command.ts");
  await withDatabase(async ({ database, masterKey }) => {
    const { kid } = await rotateSigningKey(database, masterKey);
    console.log(`Evidence is now signed with the key ${kid}.`);
  });
}
