/**
 * The end of a restore: nothing but renaming, so that a crash at any moment leaves either the former data or the restored ones.
 *
 * A restore copies to `restored.unfinished`, which everything ignores. Its renaming to `restored` is the moment from which the restore is
 * decided: whoever locks the data folder next completes it.
 *
 *     restored/new/postgres     to be renamed to postgres
 *     restored/postgres         what was there before
 */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileError } from "../boot-error.ts";

/** What a backup has, and a restore replaces. */
export const restoredParts = ["postgres", "artifacts"] as const;

export const unfinishedRestore = (dataFolder: string): string => join(dataFolder, "restored.unfinished");
/** The folder of a restore that is going to be the data folder. */
export const newData = (restore: string): string => join(restore, "new");

/** The caller holds the lock of the data folder, and everything in the copy is on the disk. */
export function decideRestore(dataFolder: string): void {
  renameSync(unfinishedRestore(dataFolder), decidedRestore(dataFolder));
  syncFolder(dataFolder);
}

/**
 * Completes a restore that was decided, if there is one. The caller holds the lock of the data folder, and no server runs on it. Returns where
 * the former data are, or "" if there were none; null if there was nothing to complete.
 */
export function finishRestore(dataFolder: string): string | null {
  const restore = decidedRestore(dataFolder);
  if (!existsSync(restore)) return null;
  try {
    for (const part of restoredParts) {
      const [restored, current] = [join(newData(restore), part), join(dataFolder, part)];
      if (!existsSync(restored)) continue;
      if (existsSync(current)) {
        renameSync(current, join(restore, part));
        syncFolder(restore);
      }
      renameSync(restored, current);
      syncFolder(dataFolder);
    }
    rmSync(newData(restore), { recursive: true, force: true });
    const replaced = restoredParts.some((part) => existsSync(join(restore, part)))
      ? join(dataFolder, `replaced-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "")}`)
      : "";
    if (replaced === "") rmSync(restore, { recursive: true, force: true });
    else renameSync(restore, replaced);
    syncFolder(dataFolder);
    return replaced;
  } catch (error) {
    throw fileError(dataFolder, error);
  }
}

const decidedRestore = (dataFolder: string): string => join(dataFolder, "restored");

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
