/** `querentd task`: the operator's view of a task, which its account does not have. */
import type { Command } from "commander";
import { accountOf, readStoredRaw } from "../../tasks/index.ts";
import { CommandError } from "../command-error.ts";
import { readUuid, withDatabase, type OperatorOutput } from "./operator-command.ts";
import { EvidenceFileError, verifyEvidenceFile } from "@querent/evidence";

export function addTaskCommands(program: Command): void {
  program
    .command("task")
    .description("inspect tasks")
    .command("raw")
    .description("print the platform's unchanged response for a task, which is stored as long as the result")
    .argument("<id>", "the task", readUuid)
    .option("--json", "print JSON: the response, its type, and the reported usage")
    .action((taskId: string, options: OperatorOutput) =>
      withDatabase(async ({ database }) => {
        const accountId = await accountOf(database, { taskId, batchId: null });
        const stored = accountId === null ? null : await readStoredRaw(database, accountId, taskId);
        if (stored === null) throw new CommandError("There is no such task.");
        if (options.json === true) {
          process.stdout.write(`${JSON.stringify(stored, null, 2)}\n`);
          return;
        }
        if (stored.body === null) throw new CommandError(whyNone(stored));
        process.stdout.write(stored.body);
      }),
    );
}

function whyNone({ state, expired, mediaType }: { state: string; expired: boolean; mediaType: string | null }): string {
  if (state !== "completed") return `The task is ${state}: nothing is stored of an answer.`;
  if (expired) return "The result has expired, and what the platform sent with it.";
  return mediaType === null
    ? "This platform's answers are stored without the bytes that it sent."
    : "What the platform sent was larger than 16 MiB and was not kept.";
}

// `querentd verify-evidence` and `querentd evidence-key`: files checked offline, and the key that they are signed with.

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
