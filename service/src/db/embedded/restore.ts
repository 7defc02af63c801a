/** Copies a backup to where a restore is decided from. */
import { existsSync, realpathSync } from "node:fs";
import { readdir, rm, stat, statfs } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { BootError, errno, fileError } from "../boot-error.ts";
import { copyTree, makeFolderLike, sync, type Copied } from "./copy-tree.ts";
import { clusterFolder } from "./embedded.ts";
import { newData, restoredParts, unfinishedRestore } from "./finish-restore.ts";
import { endPostmaster, isPostmaster, readPostmasterPid } from "./postmaster-pid.ts";

/** The real path of a backup: of `querentd backup`, or a copy of a data folder without a service, such as a snapshot. */
export function requireBackup(path: string): string {
  let backup;
  try {
    backup = realpathSync(resolve(path));
  } catch (error) {
    throw new BootError(`There is no backup at ${resolve(path)}. Nothing was changed.`, error);
  }
  const cluster = clusterFolder(backup);
  if (backup.endsWith(".unfinished"))
    throw new BootError(
      `${backup} is a backup that was interrupted, and is not complete. Nothing was changed. Restore another one.`,
    );
  for (const file of ["PG_VERSION", "global/pg_control"])
    if (!existsSync(join(cluster, file)))
      throw new BootError(
        `${backup} is not a backup of the embedded database: it has no postgres/data/${file}. Nothing was changed. Name a folder that \`querentd backup\` made.`,
      );
  const found = readPostmasterPid(cluster);
  if (found !== undefined && isPostmaster(found.pid, cluster))
    throw new BootError(
      `A PostgreSQL (pid ${found.pid}) runs on ${backup}, and a copy of its files would not be whole. Nothing was changed. Stop it, or make a backup of it with \`querentd backup\`.`,
    );
  return backup;
}

/**
 * Copies a backup, given to the owner of the data folder; everything is on the disk when this resolves. The caller holds the folder's lock.
 * Changes nothing of its data, except that a server that an earlier service has left is stopped.
 */
export async function copyBackup(
  backup: string,
  dataFolder: string,
  { artifacts }: { artifacts: boolean },
): Promise<{ database: Copied; artifacts: Copied | null }> {
  if (backup === dataFolder || dataFolder.startsWith(backup + sep))
    throw new BootError(`${backup} is the data folder, or contains it. Nothing was changed. Name a backup of it.`);
  await endOrphan(clusterFolder(dataFolder));
  const unfinished = unfinishedRestore(dataFolder);
  await rm(unfinished, { recursive: true, force: true });
  await requireSpace(backup, dataFolder, artifacts);
  try {
    const target = newData(unfinished);
    const owner = await stat(dataFolder);
    for (const folder of [unfinished, target, dirname(clusterFolder(target))]) await makeFolderLike(folder, dataFolder);
    const database = await copyTree(clusterFolder(backup), clusterFolder(target), isRestored, owner);
    const files = artifacts
      ? await copyTree(join(backup, "artifacts"), join(target, "artifacts"), undefined, owner)
      : null;
    for (const folder of [dirname(clusterFolder(target)), target, unfinished]) await sync(folder);
    return { database, artifacts: files };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw errno(error) === undefined ? error : fileError(dataFolder, error);
  }
}

/** They belong to the server that the files come from. */
const isRestored = (path: string): boolean => !/^postmaster\.(pid|opts)$/.test(path);

async function endOrphan(cluster: string): Promise<void> {
  const found = readPostmasterPid(cluster);
  if (found === undefined || !isPostmaster(found.pid, cluster)) return;
  if (!(await endPostmaster(found.pid, () => !isPostmaster(found.pid, cluster))))
    throw new BootError(
      `An earlier PostgreSQL (pid ${found.pid}) still runs on ${cluster} and does not stop. Nothing was changed. End it (kill -QUIT ${found.pid}), and try again.`,
    );
}

/** The former data stay, so there must be space for both. The server needs some for its recovery, too. */
async function requireSpace(backup: string, dataFolder: string, artifacts: boolean): Promise<void> {
  let needed = 64 * 1024 * 1024;
  for (const part of restoredParts) if (part === "postgres" || artifacts) needed += await sizeOf(join(backup, part));
  const { bavail, bsize } = await statfs(dataFolder);
  if (bavail * bsize >= needed) return;
  const mebibytes = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  throw new BootError(
    `${dataFolder} needs ${mebibytes(needed)} of free space for the restored data beside the former ones, and has ${mebibytes(bavail * bsize)}. Nothing was changed. Free some space, and try again.`,
  );
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (errno(error) === "ENOENT") return [];
    throw fileError(folder, error);
  });
  let size = 0;
  for (const entry of entries) if (entry.isFile()) size += (await stat(join(entry.parentPath, entry.name))).size;
  return size;
}
