import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import {
  backUpCluster,
  copyTree,
  makeFolderLike,
  copyBackup,
  decideRestore,
  finishRestore,
  lockDataFolder,
  newData,
  requireBackup,
  unfinishedRestore,
  type Copied,
  type DataFolderLock,
} from "../../db/embedded/index.ts";
import { querentd } from "../../kernel/program-name.ts";
import { readConfig, type Config } from "../config.ts";
import { CommandError } from "../command-error.ts";
import { print, type OperatorOutput } from "./operator-command.ts";
import { BootError, planMigration } from "../../db/index.ts";
import { readLastEntry } from "../../points/index.ts";
import { countTasksSince, readLastTask } from "../../tasks/index.ts";
import { MasterKeyError } from "../../vault/index.ts";
import { loadMasterKey } from "../master-key.ts";
import { openDatabase } from "../open-database.ts";

export function addBackupCommand(program: Command): void {
  program
    .command("backup <folder>")
    .description("copy the embedded database and its artifacts to a new folder, while the service runs")
    .option("--json", "print JSON")
    .action((folder: string, options: OperatorOutput) => backUp(resolve(folder), options));
}

/** `querentd backup`: the database first, then the artifacts that its rows name. The folder gets its name when it is complete. */
async function backUp(folder: string, options: OperatorOutput): Promise<void> {
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
    print(options, copied, describeBackup(copied));
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

function describeBackup({ folder, database, artifacts, seconds }: Backup): string {
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

interface Options extends OperatorOutput {
  readonly replace?: boolean;
}

export function addRestoreCommand(program: Command): void {
  program
    .command("restore <backup>")
    .description(
      "put a backup of the embedded database and its artifacts into the data folder, while the service is stopped",
    )
    .option("--replace", "put data that are there aside, in a folder of their own")
    .option("--json", "print JSON")
    .action(restore);
}

/** `querentd restore`: copies, tries the copy, and only then puts it in the place of the former data. */
async function restore(path: string, options: Options): Promise<void> {
  const config = readConfig(process.env);
  if (config.databaseUrl !== null)
    throw new CommandError(
      "DATABASE_URL is set, and only the embedded database is restored by this command. Restore your server with its own tools: see docs/how-to/back-up.md. Nothing was changed.",
    );
  const backup = requireBackup(path);
  const startedAt = performance.now();
  await using lock = await lockDataFolder(config.dataDir, { purpose: "command" });
  if (lock.completedRestore)
    throw new CommandError(
      `An earlier restore of ${lock.folder} was interrupted after it was decided, and has been completed now: the data of its backup are in place. Run \`${querentd} check\`. To restore ${backup} instead, give this command again with --replace.`,
    );
  const hasFormer = existsSync(join(lock.folder, "postgres"));
  if (hasFormer && options.replace !== true)
    throw new CommandError(
      `${lock.folder} has a database. Nothing was changed. To put it aside and restore ${backup} in its place, add --replace; to restore beside it, set QUERENT_DATA_DIR to another folder.`,
    );
  const copied = await copyBackup(backup, lock.folder, { artifacts: config.artifactsS3Bucket === null });
  let tried: Tried;
  let lost: number | null = 0;
  try {
    tried = await tryCopy(config, lock.folder).catch((error: unknown) => {
      throw error instanceof BootError ? new CommandError(unusable(backup, error)) : error;
    });
    if (hasFormer) lost = await countLater(config, lock, tried.until);
  } catch (error) {
    await rm(unfinishedRestore(lock.folder), { recursive: true, force: true });
    throw error;
  }
  decideRestore(lock.folder);
  const replaced = finishRestore(lock.folder);
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
  const restored = {
    folder: lock.folder,
    ...tried,
    ...copied,
    lost,
    replaced: replaced === "" ? null : replaced,
    seconds,
  };
  print(options, restored, describeRestored(restored));
}

/** The copy goes, and with it the log that the error names. */
const unusable = (backup: string, error: BootError): string =>
  `${backup} can't be restored, and the data folder was not changed. ${error.message.replace(/ Its log is in \S+/, "")}`;

interface Tried {
  /** The last change of a task or of points that is in the backup; null if there is none. */
  readonly until: Date | null;
  readonly tasks: number;
  /** Why the master key can't be used with it; null if it can. */
  readonly masterKey: string | null;
}

/** Starts a server on the copy, which recovers it, and looks whether this version can work with it. */
async function tryCopy(config: Config, folder: string): Promise<Tried> {
  const dataDir = newData(unfinishedRestore(folder));
  await using opened = await openDatabase({ ...config, dataDir }, { lock: null, log: null, create: false });
  // Refuses a database that this version must not use.
  await planMigration(opened.database);
  const [{ tasks, acceptedAt }, paidAt] = [await readLastTask(opened.database), await readLastEntry(opened.database)];
  const masterKey = await loadMasterKey(config, opened.database).then(
    () => null,
    (error: unknown) => {
      if (error instanceof MasterKeyError) return error.message;
      throw error;
    },
  );
  // A missing time counts as earlier than every other.
  const until = paidAt === null || (acceptedAt !== null && acceptedAt > paidAt) ? acceptedAt : paidAt;
  return { until, tasks, masterKey };
}

/** The tasks of the former database that were accepted after that moment; null if it cannot be read, which may be why a backup is restored. */
async function countLater(config: Config, lock: DataFolderLock, until: Date | null): Promise<number | null> {
  try {
    await using opened = await openDatabase(config, { lock, log: null });
    return await countTasksSince(opened.database, until ?? new Date(0));
  } catch {
    return null;
  }
}

interface Restored extends Tried {
  readonly folder: string;
  readonly database: Copied;
  /** The artifacts that were copied; null if they are in a bucket. */
  readonly artifacts: Copied | null;
  readonly lost: number | null;
  readonly replaced: string | null;
  readonly seconds: number;
}

function describeRestored({ folder, until, tasks, masterKey, artifacts, lost, replaced, seconds }: Restored): string {
  const moment = until === null ? "before the first task" : `of ${until.toISOString()}`;
  const later =
    lost === null
      ? "The former database can't be read, so how many later tasks are lost is unknown."
      : replaced === null
        ? "There was no database before."
        : `Tasks of the former database that were accepted later, and are lost: ${lost}.`;
  const files =
    artifacts === null
      ? `Artifacts: in your bucket, which was not touched. \`${querentd} check --artifacts 1000000\` names those that are missing: restore their versions of that moment.`
      : `Artifacts: ${artifacts.files} files were restored.`;
  return [
    `${folder} has the data ${moment} (tasks: ${tasks}), after ${seconds} s.`,
    `${later} Clients that repeat a submission with its Idempotency-Key submit it anew. Tasks that ended later run again, are charged again and are announced again.`,
    "Event feed: readers that have read further receive 410 with a cursor to continue from.",
    files,
    masterKey === null
      ? "Master key: it decrypts the secrets of the backup."
      : `Master key: ${masterKey} The service does not start until then.`,
    ...(replaced === null
      ? []
      : [`The former data are in ${replaced}. Remove that folder when you no longer need it.`]),
    `Next: \`${querentd} check\`, and then start the service.`,
  ].join("\n");
}
