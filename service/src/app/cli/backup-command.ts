import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { backUpCluster, copyTree, makeFolderLike, type Copied } from "../../db/embedded/index.ts";
import { querentd } from "../../kernel/program-name.ts";
import { readConfig } from "../config.ts";
import { CommandError } from "./command-error.ts";
import { print, type Output } from "./operator-command.ts";

export function addBackupCommand(program: Command): void {
  program
    .command("backup <folder>")
    .description("copy the embedded database and its artifacts to a new folder, while the service runs")
    .option("--json", "print JSON")
    .action((folder: string, options: Output) => backUp(resolve(folder), options));
}

/** `querentd backup`: the database first, then the artifacts that its rows name. The folder gets its name when it is complete. */
async function backUp(folder: string, options: Output): Promise<void> {
  const config = readConfig(process.env);
  if (config.databaseUrl !== null)
    throw new CommandError(
      "DATABASE_URL is set, and only the embedded database is backed up by this command. Use the backups of your server: see docs/how-to/back-up.md. Nothing was copied.",
    );
  if (existsSync(folder)) throw new CommandError(`${folder} is there already. Name a new folder. Nothing was copied.`);
  const unfinished = `${folder}.unfinished`;
  const startedAt = performance.now();
  try {
    await rm(unfinished, { recursive: true, force: true });
    await makeFolderLike(unfinished, config.dataDir);
    const database = await backUpCluster(config.dataDir, unfinished);
    const artifacts =
      config.artifactsS3Bucket === null
        ? await copyTree(join(config.dataDir, "artifacts"), join(unfinished, "artifacts"))
        : null;
    await rename(unfinished, folder);
    const seconds = (performance.now() - startedAt) / 1000;
    const copied = { folder, database, artifacts, seconds: Number(seconds.toFixed(1)) };
    print(options, copied, describe(copied));
  } catch (error) {
    // It may not even have been made.
    await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
    throw error instanceof Error && "syscall" in error ? notWritten(folder, error) : error;
  }
}

interface Backup {
  readonly folder: string;
  readonly database: Copied;
  /** The artifacts that were copied; null if they are in a bucket. */
  readonly artifacts: Copied | null;
  readonly seconds: number;
}

function describe({ folder, database, artifacts, seconds }: Backup): string {
  const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  const files =
    artifacts === null
      ? "The artifacts are in your bucket, and were not copied."
      : `Artifacts: ${artifacts.files} files, ${mebibytes(artifacts.bytes)}.`;
  return `${folder} has everything up to now, after ${seconds} s.
Database: ${mebibytes(database.bytes)}. ${files}
The master key was not copied. Store it elsewhere: without it, the secrets in the backup cannot be decrypted.
To try it: \`QUERENT_DATA_DIR=EMPTY_FOLDER ${querentd} restore ${folder}\`, and then \`${querentd} check\` with the same variable. To restore it: stop the service, and \`${querentd} restore ${folder} --replace\`.`;
}

function notWritten(folder: string, error: Error): CommandError {
  const why = "code" in error && error.code === "ENOSPC" ? "the disk is full" : error.message;
  return new CommandError(
    `${folder} was not written: ${why}. The service was not affected, and nothing was left behind.`,
  );
}
