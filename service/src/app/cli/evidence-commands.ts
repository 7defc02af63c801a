/** `querentd verify-evidence` and `querentd evidence-key`: files checked offline, and the key that they are signed with. */
import { EvidenceFileError, verifyEvidenceFile } from "@querent/evidence";
import type { Command } from "commander";
import { publishedKeys, rotateSigningKey } from "../../evidence/index.ts";
import { CommandError } from "./command-error.ts";
import { withDatabase } from "./operator-command.ts";

export function addEvidenceCommands(program: Command): void {
  program
    .command("verify-evidence")
    .description("verify an evidence file offline; the exit code is 1 if it is invalid")
    .argument("<file>", "the zip")
    .option("--key <file>", "public keys to trust: PEM, JWK, or the service's published set")
    .option("--json", "print JSON")
    .action(verifyCommand);

  const key = program.command("evidence-key").description("manage the keys that sign evidence");
  key
    .command("list")
    .description("list the published keys, the current one first")
    .action(() =>
      withDatabase(async ({ database }) => {
        console.log(JSON.stringify({ keys: await publishedKeys(database) }, null, 2));
      }),
    );
  key
    .command("rotate")
    .description("create a new signing key; the previous one remains published")
    .action(() =>
      withDatabase(async ({ database, masterKey }) => {
        const { kid } = await rotateSigningKey(database, masterKey);
        console.log(`Evidence is now signed with the key ${kid}.`);
      }),
    );
}

async function verifyCommand(file: string, options: { key?: string; json?: boolean }): Promise<void> {
  const verdict = await verifyEvidenceFile(file, options.key).catch((error: unknown) => {
    throw error instanceof EvidenceFileError ? new CommandError(error.message) : error;
  });
  console.log(options.json === true ? JSON.stringify(verdict, null, 2) : verdict.sentence);
  if (verdict.verdict === "refused") process.exitCode = 1;
}
