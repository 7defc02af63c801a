/**
 * The user that PostgreSQL's programs run as. They refuse to run as root, and initdb needs a user in /etc/passwd.
 *
 * - An ordinary user runs them directly.
 * - Root with its own data folder runs them in a user namespace (`unshare`), in which root has another user's number. Outside
 *   it is still root: its files are root's, and a checkout in a folder that only root can enter works without creating a user.
 * - Root with another user's data folder runs them as that user.
 * - Root without user namespaces (as in most containers) changes the owner of the data folder to a system user, once, and runs
 *   them as that user.
 *
 * Everything runs through `setpriv --pdeathsig` if util-linux has it, so that the kernel ends the processes that we started
 * when we die.
 */
import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { chownSync, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { BootError } from "../boot-error.ts";

export interface RunAs {
  /** The owner of the cluster's files, as seen from this process. */
  readonly uid: number;
  /** Changes the owner of a file or folder that we created to that user. */
  own(path: string): void;
  /** The program, arguments and user to spawn. `deathSignal` is sent to it when this process dies. */
  command(program: string, args: readonly string[], deathSignal: "INT" | "KILL"): ProgramCommand;
}

export interface ProgramCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: { uid?: number; gid?: number; cwd: string; env: NodeJS.ProcessEnv };
}

interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Chooses it for an existing data folder. */
export function chooseRunAs(folder: string, programs: string): RunAs {
  const self = process.getuid?.() ?? 0;
  const owner = statSync(folder);
  if (self !== 0) {
    if (owner.uid !== self) {
      throw new BootError(
        `The data folder ${folder} belongs to user ${owner.uid}, and this is user ${self}. Run as its owner, or choose another data folder.`,
      );
    }
    return runAs({ uid: self, gid: process.getgid?.() ?? self }, false, namespaceFor(self));
  }
  if (owner.uid === 0) {
    const inside = passwd().find((user) => user.uid !== 0)?.uid;
    if (inside !== undefined && canUnshare(inside)) return runAs({ uid: 0, gid: 0 }, false, inside);
    const user = systemUser();
    giveAway(folder, user);
    return asUser(user, folder, programs);
  }
  return asUser(owner, folder, programs);
}

function asUser(user: { uid: number; gid: number }, folder: string, programs: string): RunAs {
  const closed = closedFolder([folder, programs], user);
  if (closed !== undefined) {
    throw new BootError(
      `PostgreSQL can't run as root, and user ${user.uid}, which it runs as here, can't enter ${closed}. Move Querent and its data folder to where that user can go, start Querent as an ordinary user, allow user namespaces (sysctl user.max_user_namespaces), or set DATABASE_URL.`,
    );
  }
  return runAs(user, true, namespaceFor(user.uid));
}

/** The number to use in a user namespace: none for a user that initdb finds without help. */
function namespaceFor(uid: number): number | undefined {
  const users = passwd();
  if (process.platform !== "linux" || users.some((user) => user.uid === uid)) return undefined;
  const inside = users.find((user) => user.uid !== 0)?.uid;
  return inside !== undefined && canUnshare(inside) ? inside : undefined;
}

function runAs({ uid, gid }: { uid: number; gid: number }, switches: boolean, inside: number | undefined): RunAs {
  // The caller's PG* variables are left out, because PostgreSQL would use them. The folder / exists for everyone.
  const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LANG: "C", LC_ALL: "C" };
  const options = { cwd: "/", env, ...(switches ? { uid, gid } : {}) };
  return {
    uid,
    own: (path) => (switches ? chownSync(path, uid, gid) : undefined),
    command(program, args, deathSignal) {
      const words = [
        ...(inside === undefined ? [] : ["unshare", "--user", `--map-user=${inside}`, `--map-group=${inside}`]),
        ...(hasDeathSignal() ? ["setpriv", "--pdeathsig", deathSignal] : []),
        program,
        ...args,
      ];
      return { file: words[0] ?? program, args: words.slice(1), options };
    },
  };
}

let deathSignalWorks: boolean | undefined;
function hasDeathSignal(): boolean {
  deathSignalWorks ??= process.platform === "linux" && succeeds("setpriv", ["--pdeathsig", "INT", "true"]);
  return deathSignalWorks;
}

const canUnshare = (inside: number): boolean =>
  process.platform === "linux" &&
  succeeds("unshare", ["--user", `--map-user=${inside}`, `--map-group=${inside}`, "true"]);

/** A dedicated system user, if there is one or one can be created. */
function systemUser(): User {
  const find = (name: string): User | undefined => passwd().find((user) => user.name === name);
  const found = find("querent") ?? find("postgres");
  if (found !== undefined) return found;
  succeeds("useradd", [
    "--system",
    "--user-group",
    "--no-create-home",
    "--home-dir",
    "/",
    "--shell",
    "/usr/sbin/nologin",
    "querent",
  ]);
  const made = find("querent");
  if (made !== undefined) return made;
  throw new BootError(
    "PostgreSQL can't run as root. User namespaces are off here, and no system user could be made for it. Make one (useradd --system querent), start Querent as an ordinary user, or set DATABASE_URL.",
  );
}

/**
 * Changes the owner of the data folder itself, and of all of PostgreSQL's part of it. Root can still read and write everything
 * in it.
 */
function giveAway(folder: string, user: User): void {
  const give = (path: string): void => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.isSymbolicLink()) return;
    if (stats.isDirectory()) for (const name of readdirSync(path)) give(join(path, name));
    chownSync(path, user.uid, user.gid);
  };
  give(join(folder, "postgres"));
  chownSync(folder, user.uid, user.gid);
}

/** The topmost folder of the path that the user cannot enter. */
function closedFolder(folders: readonly string[], user: { uid: number; gid: number }): string | undefined {
  const way = folders.flatMap((folder) => ancestors(folder));
  const script = 'for folder; do [ -x "$folder" ] || { echo "$folder"; exit; }; done';
  const { uid, gid } = user;
  const said = spawnSync("sh", ["-c", script, "sh", ...way], { uid, gid, cwd: "/", encoding: "utf8" });
  return said.stdout.trim() || undefined;
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...ancestors(parent), folder];
}

function passwd(): User[] {
  try {
    return readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"))
      .filter((fields) => fields.length >= 4)
      .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  } catch {
    return [];
  }
}

function succeeds(file: string, args: readonly string[]): boolean {
  const ended: SpawnSyncReturns<Buffer> = spawnSync(file, args, { stdio: "ignore", timeout: 10_000 });
  return ended.status === 0;
}
