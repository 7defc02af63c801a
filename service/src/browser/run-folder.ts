import { readdirSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for one run of a browser: its profile and its temporary files, removed with it. */
export interface RunFolder {
  readonly path: string;
  /** Never rejects: what cannot be removed now is removed when this process exits, or when the next one starts a browser. */
  remove(): Promise<void>;
  /** Never throws. */
  removeNow(): void;
}

const prefix = "querent-browser-";

export async function makeRunFolder(): Promise<RunFolder> {
  const path = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  const removeNow = () => {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
    } catch {
      // `sweepRunFolders` removes it.
    }
  };
  return {
    path,
    async remove() {
      try {
        // The browser's last processes may still write while they end.
        await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
      } catch {
        process.once("exit", removeNow);
      }
    },
    removeNow,
  };
}

/** Removes the folders of processes that were killed. */
export function sweepRunFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split("-")[0]) : Number.NaN;
    if (!Number.isInteger(pid) || pid <= 0 || isAlive(pid)) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Owned by another user.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
